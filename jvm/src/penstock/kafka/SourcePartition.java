package penstock.kafka;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.spark.TaskContext;
import org.apache.spark.util.TaskCompletionListener;

/**
 * The number of the partition that a task is reading, for a sink in the same task. Tasks are numbered
 * anew with every batch, by the partitions that have messages in it; this number stays.
 */
public final class SourcePartition {
    private static final int NONE = -1;
    private static final Map<Long, SourcePartition> TASKS = new ConcurrentHashMap<>();

    private volatile int number = NONE;

    private SourcePartition() {}

    /** That of the task which asks. */
    public static SourcePartition ofTask() {
        TaskContext task = TaskContext.get();
        return TASKS.computeIfAbsent(task.taskAttemptId(), id -> {
            TaskCompletionListener forget = ended -> TASKS.remove(id);
            task.addTaskCompletionListener(forget);
            return new SourcePartition();
        });
    }

    public void set(int partition) {
        number = partition;
    }

    /** The partition, or what is given for a task that reads none. */
    public int orElse(int other) {
        int known = number;
        return known == NONE ? other : known;
    }
}
