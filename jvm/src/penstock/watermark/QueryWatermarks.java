package penstock.watermark;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;

/** The watermarks of one query's tables, kept in a file so that a resumed query knows them. */
final class QueryWatermarks {
    private final WatermarkFile file;
    private final Map<String, TableWatermark> tables = new LinkedHashMap<>();

    QueryWatermarks(Path path) {
        file = new WatermarkFile(path);
    }

    synchronized void declare(String scan, String table, long delayMs) throws IOException {
        TableWatermark declared = new TableWatermark(table, delayMs);
        file.restore(scan, declared);
        tables.put(scan, declared);
    }

    synchronized void partitions(
            String scan, Collection<String> known, Collection<String> idle) {
        tables.get(scan).partitions(known, idle);
    }

    synchronized void saw(String scan, Map<String, Long> times) {
        times.forEach(tables.get(scan)::saw);
    }

    /**
     * The watermark Spark is to take for one table, null while there is none. An idle table does not
     * hold back the others: it goes along with the slowest of those that are not idle.
     */
    synchronized Long reached(String scan) {
        tables.values().forEach(TableWatermark::advance);
        file.save(tables);
        TableWatermark table = tables.get(scan);
        Long own = table.watermarkMs();
        Long others = table.isIdle() ? slowestActive() : null;
        return others == null || own != null && own > others ? own : others;
    }

    private Long slowestActive() {
        Long slowest = null;
        for (TableWatermark table : tables.values()) {
            if (!table.isIdle()) {
                Long reached = table.watermarkMs();
                if (reached == null) {
                    return null;
                }
                slowest = slowest == null ? reached : Long.valueOf(Math.min(slowest, reached));
            }
        }
        return slowest;
    }

    /** Table → the partition that holds it back and the latest time of that one, `-` for none. */
    synchronized Map<String, String> holding() {
        Map<String, String> found = new TreeMap<>();
        for (TableWatermark table : tables.values()) {
            String partition = table.holding();
            if (partition != null && !partition.equals(TableWatermark.WHOLE_TABLE)) {
                Long time = table.latest().get(partition);
                String text = time == null ? "-" : Instant.ofEpochMilli(time).toString();
                found.put(table.table(), partition + " " + text);
            }
        }
        return found;
    }
}
