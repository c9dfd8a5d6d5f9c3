package penstock.catalyst;

import org.apache.spark.TaskContext;

/**
 * {@code penstock_row()}: rows in the order of tasks, and within a task as it reads them. Spark's
 * {@code monotonically_increasing_id()}, which it refuses in streams for it begins again with every
 * batch.
 */
public final class RowNumber extends TaskNumber {
    static final String NAME = "penstock_row";
    private static final long serialVersionUID = 1L;
    private static final int ROW_BITS = 33;

    private transient long following;

    public RowNumber() {
        super(NAME);
    }

    @Override
    void begin(TaskContext running) {
        following = running == null ? 0 : (long) running.partitionId() << ROW_BITS;
    }

    @Override
    long number() {
        return following++;
    }

    @Override
    public boolean deterministic() {
        return false;
    }
}
