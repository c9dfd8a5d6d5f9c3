package penstock.watermark;

import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * How far the time of one table is: the least of the latest times of its partitions, those left out
 * that are idle. A partition without a row yet holds it back altogether. Never goes backwards.
 */
final class TableWatermark {
    /** The only partition of a table that is not read from Kafka. */
    static final String WHOLE_TABLE = "";

    private final String table;
    private final long delayMs;
    private final Map<String, Long> latest = new TreeMap<>();
    private final Set<String> idle = new TreeSet<>();
    private Long watermarkMs;

    TableWatermark(String table, long delayMs) {
        this.table = table;
        this.delayMs = delayMs;
    }

    String table() {
        return table;
    }

    long delayMs() {
        return delayMs;
    }

    /** Partition → its latest time, null while it has given no row. */
    Map<String, Long> latest() {
        return latest;
    }

    Set<String> idle() {
        return idle;
    }

    Long watermarkMs() {
        return watermarkMs;
    }

    void restore(Map<String, Long> times, Collection<String> idleOnes, Long reachedMs) {
        latest.putAll(times);
        idle.addAll(idleOnes);
        watermarkMs = reachedMs;
    }

    /** The partitions there are, and those of them that are idle. */
    void partitions(Collection<String> known, Collection<String> idleOnes) {
        latest.keySet().retainAll(known);
        known.forEach(name -> latest.putIfAbsent(name, null));
        idle.clear();
        idle.addAll(idleOnes);
    }

    void saw(String partition, long timeMs) {
        latest.merge(partition, timeMs, Math::max);
    }

    boolean isIdle() {
        return !latest.isEmpty() && idle.containsAll(latest.keySet());
    }

    void advance() {
        String holding = holding();
        Long held = holding == null ? null : latest.get(holding);
        if (held != null && (watermarkMs == null || held - delayMs > watermarkMs)) {
            watermarkMs = held - delayMs;
        }
    }

    /** The partition that all others wait for; null where there is none, or all are idle. */
    String holding() {
        String found = null;
        for (String name : latest.keySet()) {
            if (!idle.contains(name) && (found == null || isBefore(name, found))) {
                found = name;
            }
        }
        return found;
    }

    private boolean isBefore(String one, String other) {
        Long first = latest.get(one);
        Long second = latest.get(other);
        return second != null && (first == null || first < second);
    }
}
