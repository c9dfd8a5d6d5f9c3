package penstock.kafka.deadletters;

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
 *   <li>When the first bad message is met and the batch may have been begun before: read which
 *       letters are there.
 *   <li>Send the letters that are not.
 *   <li>When the task ends: wait until the broker has all of them, or fail the task.
 * </ol>
 *
 * <p>A crash after any step leaves the batch unfinished; it is run again and finds what was sent.
 */
public final class LetterWriter {
    // The property by which Spark tells the tasks of a stream whose they are.
    private static final String QUERY_ID = "sql.streaming.queryId";

    private final LetterSpec spec;
    private final Earlier earlier;
    private final FirstFailure failure = new FirstFailure();
    private String checkpoint;
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
        String query = task.getLocalProperty(QUERY_ID);
        checkpoint = query == null ? "" : query;
        if (earlier.mayBeThere() || task.attemptNumber() > 0 || task.stageAttemptNumber() > 0) {
            written = new WrittenLetters(spec, checkpoint, earlier.from());
        }
        producer = PooledProducer.take(spec.producer(), "");
        TaskCompletionListener listener = this::end;
        task.addTaskCompletionListener(listener);
    }

    /** What this throws fails the task, and with it the batch. */
    private void end(TaskContext task) {
        if (task.isFailed() || task.isInterrupted()) {
            producer.discard();
            return;
        }
        try {
            producer.client().flush();
            raiseFailure();
        } catch (KafkaException | DeadLetterException failed) {
            producer.discard();
            throw failed instanceof KafkaException ? new DeadLetterException(spec, failed) : failed;
        }
        producer.giveBack();
    }
}
