package penstock.kafka.source;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.kafka.common.TopicPartition;

/**
 * Decides which partitions nobody waits for: those that have had no message for so long, and those
 * that were read to the end of a bounded table. What is only drained is not waited for either: once
 * all is read, a partition that gave nothing in this run is idle if any can be.
 */
final class IdlePartitions {
    private final long timeoutMs;
    private final Map<TopicPartition, Object> ends;
    private final Map<String, Long> silentSinceMs = new HashMap<>();
    private final Set<String> gaveMessages = new HashSet<>();

    /** A timeout of 0 is none; ends are null where the table has none. */
    IdlePartitions(long timeoutMs, Map<TopicPartition, Object> ends) {
        this.timeoutMs = timeoutMs;
        this.ends = ends;
    }

    /** Those that are idle in a batch from one offset to the other. */
    Set<String> in(TopicOffset start, TopicOffset end, boolean drain, long nowMs) {
        Set<String> idle = new TreeSet<>();
        Map<TopicPartition, Object> from = start.byPartition();
        Map<TopicPartition, Object> to = end.byPartition();
        boolean drained = drain && from.equals(to);
        to.forEach((partition, offset) -> {
            String name = TopicOffset.name(partition);
            Object begin = from.get(partition);
            // One that was found just now begins at 0.
            boolean hasMessages = !offset.equals(begin == null ? Long.valueOf(0) : begin);
            note(name, hasMessages, start.idle().contains(name), nowMs);
            if (isOver(partition, begin) || isSilent(name, drained, nowMs)) {
                idle.add(name);
            }
        });
        return idle;
    }

    /** Silence begins when it is first seen: the rows of a batch are read after its offsets. */
    private void note(String name, boolean hasMessages, boolean wasIdle, long nowMs) {
        if (hasMessages) {
            gaveMessages.add(name);
            silentSinceMs.remove(name);
        } else {
            silentSinceMs.putIfAbsent(name, wasIdle ? nowMs - timeoutMs : nowMs);
        }
    }

    private boolean isOver(TopicPartition partition, Object begin) {
        if (ends == null) {
            return false;
        }
        Object end = ends.get(partition);
        return end == null || begin != null && (Long) begin >= (Long) end;
    }

    private boolean isSilent(String name, boolean drained, long nowMs) {
        return timeoutMs > 0 && (nowMs - silentSinceMs.getOrDefault(name, nowMs) >= timeoutMs
                || drained && !gaveMessages.contains(name));
    }
}
