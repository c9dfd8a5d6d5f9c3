package penstock.watermark;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.spark.TaskContext;
import org.apache.spark.util.TaskCompletionListener;

/**
 * The partition whose rows a task is reading: set by the source, read by the watermark above it.
 * Rows go from one to the other one by one within a task, so none needs to carry its origin.
 */
public final class CurrentPartition {
    private static final Map<String, CurrentPartition> TASKS = new ConcurrentHashMap<>();

    private String name = TableWatermark.WHOLE_TABLE;

    private CurrentPartition() {}

    /** That of the task which asks, for one table of a query. */
    public static CurrentPartition ofTask(TableKey table) {
        TaskContext task = TaskContext.get();
        String key = task.taskAttemptId() + " " + table.query() + " " + table.scan();
        return TASKS.computeIfAbsent(key, unused -> {
            TaskCompletionListener forget = ended -> TASKS.remove(key);
            task.addTaskCompletionListener(forget);
            return new CurrentPartition();
        });
    }

    public void set(String partition) {
        name = partition;
    }

    String name() {
        return name;
    }
}
