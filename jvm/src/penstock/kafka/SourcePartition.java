package penstock.kafka;

import org.apache.kafka.common.TopicPartition;
import penstock.task.PerTask;

/**
 * The number of the partition that a task is reading, for a sink in the same task. Tasks are numbered
 * anew with every batch, by the partitions that have messages in it; this number stays.
 */
public final class SourcePartition {
    private static final int NONE = -1;
    private static final int SPREAD = 31;
    private static final PerTask<SourcePartition> TASKS = new PerTask<>(SourcePartition::new);

    private volatile int number = NONE;

    private SourcePartition() {}

    /** That of the task which asks. */
    public static SourcePartition ofTask() {
        return TASKS.of("");
    }

    /** Partitions of a topic have numbers in a row, which begin elsewhere in another topic. */
    public void set(TopicPartition place) {
        number = (place.topic().hashCode() * SPREAD + place.partition()) & Integer.MAX_VALUE;
    }

    /** The partition, or what is given for a task that reads none. */
    public int orElse(int other) {
        int known = number;
        return known == NONE ? other : known;
    }
}
