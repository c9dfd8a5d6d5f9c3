package penstock.task;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.apache.spark.TaskContext;
import org.apache.spark.util.TaskCompletionListener;

/**
 * Objects that the parts of a task share by name, whichever of its threads they run in; they are
 * forgotten when the task ends.
 */
public final class PerTask<T> {
    private record Key(long task, Object name) {}

    private final Map<Key, T> known = new ConcurrentHashMap<>();
    private final Supplier<T> made;

    public PerTask(Supplier<T> made) {
        this.made = made;
    }

    /** That of the task which asks. */
    public T of(Object name) {
        TaskContext task = TaskContext.get();
        return known.computeIfAbsent(new Key(task.taskAttemptId(), name), key -> {
            TaskCompletionListener forget = ended -> known.remove(key);
            task.addTaskCompletionListener(forget);
            return made.get();
        });
    }
}
