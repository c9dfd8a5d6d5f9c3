package penstock.kafka.deadletters;

import java.util.Objects;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.spark.TaskContext;
import org.apache.spark.util.TaskCompletionListener;
import penstock.formats.BadMessageException;
import penstock.kafka.sink.FirstFailure;
import penstock.kafka.sink.PooledProducer;

/**
 * Writes the letters of one task.
 *
 * <ol>
 *   <li>When the first bad message is met: wait for the letters of earlier runs that are under way.
 *   <li>If the batch may have been begun before: look which letters are there.
 *   <li>Send the letters that are not.
 *   <li>When the task ends: wait until the broker has all of them, or fail the task. One that has
 *       failed waits, too: nothing may arrive after its next attempt has looked.
 * </ol>
 *
 * <p>A crash after any step leaves the batch unfinished; it is run again and finds what was sent.
 */
public final class LetterWriter {
    // The properties by which Spark tells tasks whose stream and which run they are of.
    private static final String QUERY_ID = "sql.streaming.queryId";
    private static final String RUN_ID = "spark.jobGroup.id";

    private final LetterSpec spec;
    private final Earlier earlier;
    private final FirstFailure failure = new FirstFailure();
    private String checkpoint;
    private UnderWay underWay;
    private PooledProducer producer;
    private WrittenLetters written;

    public LetterWriter(LetterSpec spec, Earlier earlier) {
        this.spec = spec;
        this.earlier = earlier;
    }

    /** Send the letter of a message, unless an earlier attempt at this batch did. */
    public void send(ConsumerRecord<byte[], byte[]> message, BadMessageException error) {
        try {
            if (producer == null) {
                begin(TaskContext.get());
            }
            raiseFailure();
            if (written == null || !written.have(message)) {
                producer.client().send(Letter.of(message, error, spec, checkpoint), failure);
            }
        } catch (KafkaException failed) {
            throw new DeadLetterException(spec, failed);
        }
    }

    /** Raises what went wrong in the background with the letters sent so far. */
    public void raiseFailure() {
        if (failure.get() != null) {
            throw new DeadLetterException(spec, failure.get());
        }
    }

    private void begin(TaskContext task) {
        checkpoint = Objects.toString(task.getLocalProperty(QUERY_ID), "");
        String run = Objects.toString(task.getLocalProperty(RUN_ID), "");
        underWay = new UnderWay(spec, checkpoint, run);
        underWay.begin();
        TaskCompletionListener listener = this::end;
        task.addTaskCompletionListener(listener);
        boolean again = task.attemptNumber() > 0 || task.stageAttemptNumber() > 0;
        if (earlier.mayBeThere() || again) {
            written = WrittenLetters.of(spec, checkpoint, earlier, again);
        }
        producer = PooledProducer.take(spec.producer(), "");
    }

    /** What this throws fails the task, and with it the batch. */
    private void end(TaskContext task) {
        try {
            if (producer != null) {
                finish(task);
            }
        } finally {
            underWay.end();
        }
    }

    private void finish(TaskContext task) {
        if (task.isFailed() || task.isInterrupted()) {
            producer.discardSent();
            return;
        }
        try {
            producer.client().flush();
            raiseFailure();
        } catch (KafkaException | DeadLetterException failed) {
            producer.discardSent();
            throw failed instanceof KafkaException ? new DeadLetterException(spec, failed) : failed;
        }
        producer.giveBack();
    }
}
