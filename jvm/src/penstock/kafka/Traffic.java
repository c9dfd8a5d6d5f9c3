package penstock.kafka;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * What went through the tables of the running queries, counted on the driver: sources add what their
 * tasks have read, sinks what their tasks have written. Names are {@code <key of the query>/<table>}.
 */
public final class Traffic {
    private static final Map<String, Traffic> TABLES = new ConcurrentHashMap<>();

    private final LongAdder rowsIn = new LongAdder();
    private final LongAdder bytesIn = new LongAdder();
    private final LongAdder rowsOut = new LongAdder();
    private final LongAdder bytesOut = new LongAdder();
    private final LongAdder rowsLost = new LongAdder();
    private final LongAdder skipped = new LongAdder();
    private final LongAdder deadLetters = new LongAdder();

    private Traffic() {}

    /** The counters of one table. */
    public static Traffic of(String name) {
        return TABLES.computeIfAbsent(name, unused -> new Traffic());
    }

    /** Forget the tables of a query that begins anew. */
    public static void forget(String query) {
        TABLES.keySet().removeIf(name -> name.startsWith(query + "/"));
    }

    public void read(long rows, long bytes) {
        rowsIn.add(rows);
        bytesIn.add(bytes);
    }

    public void wrote(long rows, long bytes) {
        rowsOut.add(rows);
        bytesOut.add(bytes);
    }

    public void lost(long rows) {
        rowsLost.add(rows);
    }

    /** Messages that could not be read: left out, and written to the topic of dead letters. */
    public void leftOut(long messages, long letters) {
        skipped.add(messages);
        deadLetters.add(letters);
    }

    /**
     * All tables of a query: name → rows in, bytes in, rows out, bytes out, rows lost, messages
     * skipped, dead letters.
     */
    public static Map<String, long[]> report(String query) {
        Map<String, long[]> found = new TreeMap<>();
        TABLES.forEach((name, traffic) -> {
            if (name.startsWith(query + "/")) {
                found.put(name.substring(query.length() + 1), traffic.counts());
            }
        });
        return found;
    }

    /** The same as text, a table per line and tabs between: one call, however many tables. */
    public static String lines(String query) {
        StringBuilder lines = new StringBuilder();
        report(query).forEach((table, counts) -> {
            lines.append(table);
            for (long count : counts) {
                lines.append('\t').append(count);
            }
            lines.append('\n');
        });
        return lines.toString();
    }

    private long[] counts() {
        return new long[] {
            rowsIn.sum(), bytesIn.sum(), rowsOut.sum(), bytesOut.sum(), rowsLost.sum(),
            skipped.sum(), deadLetters.sum()
        };
    }
}
