package penstock.kafka.sink;

import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.spark.SparkEnv;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.write.DataWriter;
import org.apache.spark.sql.connector.write.WriterCommitMessage;
import org.apache.spark.sql.types.StructType;

/**
 * Writes a task's rows and its marker in one transaction.
 *
 * <ol>
 *   <li>Fence: {@code initTransactions} ends what an earlier producer of this task left open.
 *   <li>Ask for the marker; after 1 nobody else can move it.
 *   <li>If it covers this batch, let the rows go by: they are in their topics.
 *   <li>Begin, and send the rows.
 *   <li>Send the marker into the same transaction.
 *   <li>Commit.
 * </ol>
 *
 * <p>A crash before 6 leaves nothing that a {@code read_committed} reader sees, and the batch is
 * written again. A crash in or after 6 leaves rows and marker, or neither. A producer that is kept
 * from the batch before needs neither 1 nor 2: it knows what it committed, and would have been
 * fenced off if somebody else had done so since. A task without rows does nothing at all.
 */
final class TransactionalWriter implements DataWriter<InternalRow> {
    private static final long LEAST_BUFFER_BYTES = 8 << 20;

    // Where tasks run in a local Spark.
    private static final String DRIVER = "driver";

    private final SinkSpec spec;
    private final StructType schema;
    private final int task;
    private final KafkaWrite.Batch batch;
    private final FirstFailure failure = new FirstFailure();
    private PooledProducer producer;
    private Records records;
    private boolean done;
    private boolean begun;
    private long begunAtMs;
    private long rows;
    private long bytes;

    TransactionalWriter(SinkSpec spec, StructType schema, int task, KafkaWrite.Batch batch) {
        this.spec = spec;
        this.schema = schema;
        this.task = task;
        this.batch = batch;
    }

    @Override
    public void write(InternalRow row) {
        try {
            if (producer == null) {
                open();
            }
            if (!done) {
                ProducerRecord<byte[], byte[]> record = records.of(row);
                producer.client().send(record, failure);
                rows++;
                bytes += Records.size(record);
            }
        } catch (KafkaException error) {
            throw explained(error);
        }
    }

    private void open() {
        Transactions names = spec.transactions();
        producer = PooledProducer.take(config(names.id(task)), names.run());
        records = new Records(spec, schema, task, producer.client());
        if (producer.marker == null) {
            producer.client().initTransactions();
            producer.marker = Recovery.marker(spec, task);
        }
        refuseOtherLayout();
        refuseOldCheckpoint();
        done = producer.marker.covers(names.query(), batch.number());
        if (!done) {
            producer.client().beginTransaction();
            begun = true;
            begunAtMs = System.currentTimeMillis();
        }
    }

    /** Each task has a producer of its own; only those at work at a time need a full buffer. */
    private HashMap<String, Object> config(String id) {
        HashMap<String, Object> config = new HashMap<>(spec.client());
        config.put(ProducerConfig.TRANSACTIONAL_ID_CONFIG, id);
        Object given = config.get(ProducerConfig.BUFFER_MEMORY_CONFIG);
        int atWork = Runtime.getRuntime().availableProcessors();
        if (given != null && batch.tasks() > atWork) {
            long share = Long.parseLong(given.toString()) * atWork / batch.tasks();
            config.put(ProducerConfig.BUFFER_MEMORY_CONFIG, Math.max(share, LEAST_BUFFER_BYTES));
        }
        return config;
    }

    /** Rows that other tasks wrote in part cannot be told from those they did not. */
    private void refuseOtherLayout() {
        for (Marker other : batch.others()) {
            if (other.next() == batch.number() + 1) {
                throw SinkException.write(spec.table(), "a crash left batch " + batch.number()
                        + " written in part by " + other.tasks() + " tasks, and the query is not"
                        + " what it was. Run it once as it was (the same query, the same"
                        + " 'sink.parallelism' and 'scan.parallelism'), then change it.", null);
            }
        }
    }

    private void refuseOldCheckpoint() {
        if (producer.marker.isAhead(spec.transactions().query(), batch.number())) {
            throw SinkException.write(spec.table(), "its checkpoint is at batch " + batch.number()
                    + ", but batch " + (producer.marker.next() - 1) + " was committed: the checkpoint"
                    + " is an older copy, and rows would be missing or twice there. Begin anew with"
                    + " an empty state folder.", null);
        }
    }

    @Override
    public WriterCommitMessage commit() {
        if (begun) {
            try {
                commitWithMarker();
            } catch (KafkaException error) {
                throw explained(error);
            }
        }
        if (producer != null) {
            keepOrClose();
            producer = null;
        }
        return new Written(rows, bytes);
    }

    /** On a cluster the next batch's task may run elsewhere, and fence off what is kept here. */
    private void keepOrClose() {
        if (DRIVER.equals(SparkEnv.get().executorId())) {
            producer.giveBack();
        } else {
            producer.discard();
        }
    }

    private void commitWithMarker() {
        // What the producer's thread finds out must be known first: the client would wait in vain
        // for an answer to the marker.
        producer.client().flush();
        if (failure.get() != null) {
            throw new KafkaException(failure.get());
        }
        Transactions names = spec.transactions();
        Marker marker =
                new Marker(batch.number() + 1, names.query(), batch.tasks(), names.layout());
        ConsumerGroupMetadata group = new ConsumerGroupMetadata(names.id(task));
        producer.client().sendOffsetsToTransaction(Map.of(names.place(), marker.kept()), group);
        producer.client().commitTransaction();
        producer.marker = marker;
        begun = false;
    }

    @Override
    public void abort() {
        if (producer == null) {
            return;
        }
        // A query that is stopped interrupts its tasks: what is open would hang until it times out.
        boolean interrupted = Thread.interrupted();
        try {
            if (begun) {
                producer.client().abortTransaction();
            }
        } catch (KafkaException | IllegalStateException gone) {
            // The next producer of this task ends it.
        } finally {
            producer.discard();
            producer = null;
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @Override
    public void close() {
        abort();
    }

    private RuntimeException explained(KafkaException error) {
        long sinceMs = begunAtMs == 0 ? 0 : System.currentTimeMillis() - begunAtMs;
        return TransactionErrors.explained(spec, task, error, sinceMs);
    }
}
