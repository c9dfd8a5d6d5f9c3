package penstock.sources;

import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.connector.read.InputPartition;
import org.apache.spark.sql.connector.read.PartitionReader;
import org.apache.spark.sql.connector.read.PartitionReaderFactory;
import org.apache.spark.sql.connector.read.streaming.MicroBatchStream;
import org.apache.spark.sql.connector.read.streaming.Offset;
import org.apache.spark.sql.connector.read.streaming.ReadLimit;
import org.apache.spark.sql.connector.read.streaming.SupportsTriggerAvailableNow;

/**
 * Gives the rows that are due. An offset holds the number of the next row and the time at which it
 * was reached, so a batch that is run again gives the same rows with the same times. After a restart
 * the rows go on where they ended: the time in between gives none.
 */
final class DatagenStream implements MicroBatchStream, SupportsTriggerAvailableNow {
    private static final long NANOS_PER_SECOND = 1_000_000_000L;

    private final long rowsPerSecond;
    private final long rows;
    private final int partitions;
    private long firstRow = -1;
    private long beganNanos;
    private boolean onlyWhatIsThere;

    DatagenStream(long rowsPerSecond, long rows, int partitions) {
        this.rowsPerSecond = rowsPerSecond;
        this.rows = rows;
        this.partitions = partitions;
    }

    @Override
    public Offset initialOffset() {
        return new DatagenOffset(0, 0);
    }

    @Override
    public Offset deserializeOffset(String json) {
        return DatagenOffset.parse(json);
    }

    /** Of rows that never end, one second's are taken to be there. */
    @Override
    public void prepareForTriggerAvailableNow() {
        onlyWhatIsThere = true;
    }

    @Override
    public Offset latestOffset() {
        throw new UnsupportedOperationException("latestOffset(Offset, ReadLimit) is used");
    }

    @Override
    public Offset latestOffset(Offset start, ReadLimit limit) {
        DatagenOffset from = (DatagenOffset) start;
        if (firstRow < 0) {
            firstRow = from.row();
            beganNanos = System.nanoTime();
        }
        long due = firstRow + (onlyWhatIsThere ? rowsWhenDrained() : rowsSinceBegin());
        long end = Math.max(from.row(), Math.min(rows, due));
        return end == from.row() ? from : new DatagenOffset(end, System.currentTimeMillis());
    }

    private long rowsWhenDrained() {
        return rows == Long.MAX_VALUE ? rowsPerSecond : rows - firstRow;
    }

    private long rowsSinceBegin() {
        long nanos = System.nanoTime() - beganNanos;
        long seconds = nanos / NANOS_PER_SECOND;
        long rest = nanos % NANOS_PER_SECOND;
        return 1 + seconds * rowsPerSecond + (long) (rowsPerSecond * (rest / 1e9));
    }

    @Override
    public InputPartition[] planInputPartitions(Offset start, Offset end) {
        long from = ((DatagenOffset) start).row();
        DatagenOffset to = (DatagenOffset) end;
        long count = to.row() - from;
        List<InputPartition> planned = new ArrayList<>();
        for (int part = 0; part < partitions; part++) {
            long first = from + count * part / partitions;
            long last = from + count * (part + 1) / partitions;
            if (first < last) {
                planned.add(new Part(first, last, to, rowsPerSecond));
            }
        }
        return planned.toArray(new InputPartition[0]);
    }

    @Override
    public PartitionReaderFactory createReaderFactory() {
        return new ReaderFactory();
    }

    @Override
    public void commit(Offset end) {}

    @Override
    public void stop() {}

    private record Part(long first, long last, DatagenOffset end, long rowsPerSecond)
            implements InputPartition {}

    private static final class ReaderFactory implements PartitionReaderFactory {
        private static final long serialVersionUID = 1L;

        @Override
        public PartitionReader<InternalRow> createReader(InputPartition partition) {
            return new Reader((Part) partition);
        }
    }

    private static final class Reader implements PartitionReader<InternalRow> {
        private final Part part;
        private long next;

        Reader(Part part) {
            this.part = part;
            this.next = part.first() - 1;
        }

        @Override
        public boolean next() {
            next++;
            return next < part.last();
        }

        @Override
        public InternalRow get() {
            double secondsBack =
                    (double) (part.end().row() - 1 - next) / part.rowsPerSecond();
            long millis = part.end().millis() - (long) (secondsBack * 1000);
            return new GenericInternalRow(new Object[] {next, millis * 1000});
        }

        @Override
        public void close() {}
    }
}
