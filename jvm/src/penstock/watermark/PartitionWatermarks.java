package penstock.watermark;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.spark.sql.classic.SparkSession;
import org.apache.spark.sql.execution.SparkStrategy;
import scala.jdk.javaapi.CollectionConverters;

/** The watermarks of the running queries, on the driver; a query is known by its key. */
public final class PartitionWatermarks {
    /** Metadata of an event-time column: which query and which of its tables it belongs to. */
    public static final String QUERY = "penstock.query";

    public static final String SCAN = "penstock.scan";

    /** Metadata of a processing-time column: its watermark goes by the clock, not by its rows. */
    public static final String CLOCK = "penstock.clock";

    private static final Map<String, QueryWatermarks> QUERIES = new ConcurrentHashMap<>();

    private static final Set<TableKey> READ_AHEAD = ConcurrentHashMap.newKeySet();

    private PartitionWatermarks() {}

    /** Let the streams of a session go by the watermarks of partitions. */
    public static void install(SparkSession session) {
        List<SparkStrategy> strategies = new ArrayList<>();
        strategies.add(new PartitionWatermarkStrategy());
        strategies.addAll(
                CollectionConverters.asJava(session.experimental().extraStrategies()));
        session.experimental().extraStrategies_$eq(
                CollectionConverters.asScala(strategies).toList());
    }

    /** A query starts; what an earlier run of it knew is in the file. */
    public static void begin(String query, String file) {
        READ_AHEAD.removeIf(key -> key.query().equals(query));
        QUERIES.put(query, new QueryWatermarks(Path.of(file)));
    }

    /** One of its tables; one that is not read from Kafka is its own only partition. */
    public static void declare(
            String query, String scan, String table, long delayMs, boolean ofPartitions)
            throws IOException {
        QueryWatermarks found = QUERIES.get(query);
        found.declare(scan, table, delayMs);
        if (!ofPartitions) {
            found.partitions(scan, List.of(TableWatermark.WHOLE_TABLE), List.of());
        }
    }

    /** All partitions of a table, and those of them that are idle. */
    public static void partitions(
            TableKey key, Collection<String> known, Collection<String> idle) {
        QUERIES.get(key.query()).partitions(key.scan(), known, idle);
    }

    /**
     * Whether a task may read several partitions of a table one after the other: not where Python
     * computes a column below the watermark, since rows wait there in batches.
     */
    public static boolean mayJoinPartitions(TableKey key) {
        return !READ_AHEAD.contains(key);
    }

    static void readsAhead(TableKey key) {
        READ_AHEAD.add(key);
    }

    /**
     * Which partition each table of a query waits for, a table per line, a tab, and {@code
     * <topic>/<partition> <its latest time, or ->}. A table whose partitions are all idle is not
     * named. Text is one call: Python asks Java for each entry of a map, and learns of its end by an
     * exception.
     */
    public static String holding(String query) {
        QueryWatermarks found = QUERIES.get(query);
        StringBuilder lines = new StringBuilder();
        if (found != null) {
            found.holding().forEach((table, partition) ->
                    lines.append(table).append('\t').append(partition).append('\n'));
        }
        return lines.toString();
    }

    static void saw(TableKey key, Map<String, Long> times) {
        QUERIES.get(key.query()).saw(key.scan(), times);
    }

    static Long reached(TableKey key) {
        return QUERIES.get(key.query()).reached(key.scan());
    }
}
