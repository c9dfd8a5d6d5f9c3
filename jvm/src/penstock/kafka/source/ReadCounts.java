package penstock.kafka.source;

import org.apache.spark.util.AccumulatorV2;
import penstock.kafka.Traffic;

/** What the tasks of a batch have read, and could not read any more; told to {@link Traffic}. */
final class ReadCounts extends AccumulatorV2<Long, Long> {
    private static final long serialVersionUID = 1L;

    private final String name;
    private long rows;
    private long bytes;
    private long lost;
    private long skipped;
    private long letters;

    ReadCounts(String name) {
        this.name = name;
    }

    void read(int size) {
        rows++;
        bytes += size;
    }

    void lost(long messages) {
        lost += messages;
    }

    void skipped() {
        skipped++;
    }

    void deadLetter() {
        letters++;
    }

    @Override
    public boolean isZero() {
        return rows == 0 && lost == 0;
    }

    @Override
    public AccumulatorV2<Long, Long> copy() {
        ReadCounts copy = new ReadCounts(name);
        copy.rows = rows;
        copy.bytes = bytes;
        copy.lost = lost;
        copy.skipped = skipped;
        copy.letters = letters;
        return copy;
    }

    @Override
    public void reset() {
        rows = 0;
        bytes = 0;
        lost = 0;
        skipped = 0;
        letters = 0;
    }

    @Override
    public void add(Long size) {
        read(size.intValue());
    }

    @Override
    public void merge(AccumulatorV2<Long, Long> other) {
        ReadCounts task = (ReadCounts) other;
        rows += task.rows;
        Traffic table = Traffic.of(name);
        table.read(task.rows, task.bytes);
        table.lost(task.lost);
        table.leftOut(task.skipped, task.letters);
    }

    @Override
    public Long value() {
        return rows;
    }
}
