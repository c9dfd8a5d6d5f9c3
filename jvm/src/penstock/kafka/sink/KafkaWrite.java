package penstock.kafka.sink;

import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.write.BatchWrite;
import org.apache.spark.sql.connector.write.DataWriter;
import org.apache.spark.sql.connector.write.DataWriterFactory;
import org.apache.spark.sql.connector.write.PhysicalWriteInfo;
import org.apache.spark.sql.connector.write.Write;
import org.apache.spark.sql.connector.write.WriterCommitMessage;
import org.apache.spark.sql.connector.write.streaming.StreamingDataWriterFactory;
import org.apache.spark.sql.connector.write.streaming.StreamingWrite;
import org.apache.spark.sql.types.StructType;

/** One batch of a stream, or all rows of a bounded query, on their way to Kafka. */
record KafkaWrite(SinkSpec spec, StructType schema) implements Write {
    @Override
    public String description() {
        return spec.toString();
    }

    @Override
    public BatchWrite toBatch() {
        return new OfBatch(this);
    }

    @Override
    public StreamingWrite toStreaming() {
        return new OfStream(this);
    }

    private Factory factory(PhysicalWriteInfo info) {
        List<Marker> others = spec.transactions() == null
                ? List.of() : Recovery.begin(spec, info.numPartitions());
        return new Factory(spec, schema, info.numPartitions(), others);
    }

    private record OfStream(KafkaWrite write) implements StreamingWrite {
        @Override
        public StreamingDataWriterFactory createStreamingWriterFactory(PhysicalWriteInfo info) {
            return write.factory(info);
        }

        @Override
        public boolean useCommitCoordinator() {
            return false;
        }

        @Override
        public void commit(long batch, WriterCommitMessage[] messages) {
            Written.count(write.spec.traffic(), messages);
        }

        @Override
        public void abort(long batch, WriterCommitMessage[] messages) {}
    }

    private record OfBatch(KafkaWrite write) implements BatchWrite {
        @Override
        public DataWriterFactory createBatchWriterFactory(PhysicalWriteInfo info) {
            return write.factory(info);
        }

        @Override
        public boolean useCommitCoordinator() {
            return false;
        }

        @Override
        public void commit(WriterCommitMessage[] messages) {
            Written.count(write.spec.traffic(), messages);
        }

        @Override
        public void abort(WriterCommitMessage[] messages) {}
    }

    private record Factory(SinkSpec spec, StructType schema, int tasks, List<Marker> others)
            implements StreamingDataWriterFactory, DataWriterFactory {
        // A bounded query is a stream of one batch.
        private static final long ONLY_BATCH = 0;

        @Override
        public DataWriter<InternalRow> createWriter(int task, long attempt) {
            return createWriter(task, attempt, ONLY_BATCH);
        }

        @Override
        public DataWriter<InternalRow> createWriter(int task, long attempt, long batch) {
            DataWriter<InternalRow> writer = spec.transactions() == null
                    ? new PlainWriter(spec, schema, task)
                    : new TransactionalWriter(
                            spec, schema, task, new Batch(batch, tasks, others));
            return spec.buffer() == null
                    ? writer : new ReducingWriter(writer, schema.fieldIndex("key"), spec.buffer());
        }
    }

    /** A batch as its tasks see it; {@code others} are the markers of tasks of another layout. */
    record Batch(long number, int tasks, List<Marker> others) {}
}
