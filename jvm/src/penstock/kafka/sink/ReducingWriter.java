package penstock.kafka.sink;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.write.DataWriter;
import org.apache.spark.sql.connector.write.WriterCommitMessage;

/**
 * Holds back rows so that of several with one key only the last is sent: until as many keys are
 * there as the buffer takes, its time is over, or the task has no more.
 */
final class ReducingWriter implements DataWriter<InternalRow> {
    /** How many keys a buffer takes, and for how long it holds them. */
    record Limits(int rows, long millis) implements java.io.Serializable {}

    private static final long NANOS_PER_MILLI = 1_000_000;

    private final DataWriter<InternalRow> writer;
    private final int key;
    private final Limits limits;
    private final Map<ByteBuffer, InternalRow> held = new LinkedHashMap<>();
    private long flushed = System.nanoTime();

    ReducingWriter(DataWriter<InternalRow> writer, int key, Limits limits) {
        this.writer = writer;
        this.key = key;
        this.limits = limits;
    }

    @Override
    public void write(InternalRow row) throws IOException {
        InternalRow copy = row.copy();
        ByteBuffer name = ByteBuffer.wrap(copy.getBinary(key));
        held.remove(name);
        held.put(name, copy);
        long age = System.nanoTime() - flushed;
        if (held.size() >= limits.rows() || age >= limits.millis() * NANOS_PER_MILLI) {
            flush();
        }
    }

    private void flush() throws IOException {
        for (InternalRow row : held.values()) {
            writer.write(row);
        }
        held.clear();
        flushed = System.nanoTime();
    }

    @Override
    public WriterCommitMessage commit() throws IOException {
        flush();
        return writer.commit();
    }

    @Override
    public void abort() throws IOException {
        writer.abort();
    }

    @Override
    public void close() throws IOException {
        writer.close();
    }
}
