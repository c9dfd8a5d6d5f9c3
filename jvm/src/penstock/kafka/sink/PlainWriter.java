package penstock.kafka.sink;

import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.write.DataWriter;
import org.apache.spark.sql.connector.write.WriterCommitMessage;
import org.apache.spark.sql.types.StructType;

/** Sends rows as they come, and waits for the broker when the task has no more. */
final class PlainWriter implements DataWriter<InternalRow> {
    private final SinkSpec spec;
    private final StructType schema;
    private final int task;
    private final FirstFailure failure = new FirstFailure();
    private PooledProducer producer;
    private Records records;
    private long rows;
    private long bytes;

    PlainWriter(SinkSpec spec, StructType schema, int task) {
        this.spec = spec;
        this.schema = schema;
        this.task = task;
    }

    @Override
    public void write(InternalRow row) {
        if (records == null) {
            producer = PooledProducer.take(spec.client(), "");
            records = new Records(spec, schema, task, producer.client());
        }
        raiseFailure();
        ProducerRecord<byte[], byte[]> record = records.of(row);
        producer.client().send(record, failure);
        rows++;
        bytes += Records.size(record);
    }

    @Override
    public WriterCommitMessage commit() {
        if (producer != null) {
            producer.client().flush();
            raiseFailure();
            producer.giveBack();
            producer = null;
        }
        return new Written(rows, bytes);
    }

    @Override
    public void abort() {
        if (producer != null) {
            producer.discard();
            producer = null;
        }
    }

    @Override
    public void close() {
        abort();
    }

    private void raiseFailure() {
        if (failure.get() != null) {
            throw SinkException.sending(spec.table(), failure.get());
        }
    }
}
