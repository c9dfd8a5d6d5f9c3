package penstock.watermark;

import penstock.task.PerTask;


/**
 * The partition whose rows a task is reading: set by the source, read by the watermark above it.
 * Rows go from one to the other one by one within a task, so none needs to carry its origin.
 */
public final class CurrentPartition {
    private static final PerTask<CurrentPartition> TASKS = new PerTask<>(CurrentPartition::new);

    private String name = TableWatermark.WHOLE_TABLE;

    private CurrentPartition() {}

    /** That of the task which asks, for one table of a query. */
    public static CurrentPartition ofTask(TableKey table) {
        return TASKS.of(table);
    }

    public void set(String partition) {
        name = partition;
    }

    String name() {
        return name;
    }
}
