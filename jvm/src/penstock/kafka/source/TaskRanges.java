package penstock.kafka.source;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.apache.spark.sql.connector.read.InputPartition;
import org.apache.spark.sql.kafka010.KafkaBatchInputPartition;
import penstock.kafka.deadletters.Earlier;

/** The ranges of offsets that one task reads, one after the other. */
record TaskRanges(List<KafkaBatchInputPartition> ranges, Earlier earlier)
        implements InputPartition {
    private static final long serialVersionUID = 1L;

    // The same offsets give the same tasks in the same order when a batch is run again.
    private static final Comparator<KafkaBatchInputPartition> ORDER =
            Comparator.<KafkaBatchInputPartition, String>comparing(part -> part.offsetRange().topic())
                    .thenComparingInt(part -> part.offsetRange().partition())
                    .thenComparingLong(part -> part.offsetRange().fromOffset());

    /** Spark's ranges in order; in no more than {@code tasks} tasks, unless that is 0. */
    static InputPartition[] plan(InputPartition[] planned, int tasks, Earlier earlier) {
        List<KafkaBatchInputPartition> ranges = Arrays.stream(planned)
                .map(KafkaBatchInputPartition.class::cast).sorted(ORDER).toList();
        int count = tasks == 0 ? ranges.size() : Math.min(tasks, ranges.size());
        InputPartition[] grouped = new InputPartition[count];
        for (int task = 0; task < count; task++) {
            int first = task * ranges.size() / count;
            int last = (task + 1) * ranges.size() / count;
            grouped[task] = new TaskRanges(new ArrayList<>(ranges.subList(first, last)), earlier);
        }
        return grouped;
    }

    /** Without the client's properties, which Spark's own text has and Spark may log. */
    @Override
    public String toString() {
        return ranges.stream().map(part -> part.offsetRange().toString()).toList().toString();
    }

    @Override
    public String[] preferredLocations() {
        return ranges.get(0).preferredLocations();
    }
}
