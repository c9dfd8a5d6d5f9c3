package penstock.formats;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.TaskContext;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.catalyst.util.GenericArrayData;
import penstock.task.PerTask;

/**
 * What becomes of the messages of a table that cannot be read.
 *
 * @param table under whose name its readers say that they are at work
 * @param handling what the table asks for
 * @param skip the option by which its format would skip them, empty if there is none
 */
public record Failures(String table, Handling handling, String skip) implements Serializable {
    private static final PerTask<List<Reader>> READERS = new PerTask<>(ArrayList::new);

    /** What to do about a message that cannot be read. */
    public enum Handling {
        /** The query ends. */
        FAIL,
        /** It is counted and left out, but for the rows that can be read. */
        SKIP,
        /** It is counted, left out but for the rows that can be read, and told to the log. */
        LOG,
        /** It is written to the table's topic of dead letters and left out. */
        KAFKA,
        /** It is a row that is null, for the query to tell of. */
        STREAM
    }

    /** What reads the messages of a table: it knows all that a message has. */
    public interface Reader {
        /** Whether the message it has read last is that one. */
        boolean isAt(String topic, Integer partition, Long offset);

        /**
         * The message it has read last is left out.
         *
         * @throws BadMessageException if too many were
         */
        void leftOut(BadMessageException error, Handling handling);
    }

    /** From now on a reader is at work for a table in this task. */
    public static void reading(String table, Reader reader) {
        READERS.of(table).add(reader);
    }

    /** Whether a message that cannot be read has a row, which is null then. */
    public boolean giveRows() {
        return handling == Handling.STREAM;
    }

    /** The rows of a message that cannot be read: those left of it, if the query is to go on. */
    public ArrayData rows(BadMessageException error) {
        if (giveRows()) {
            return new GenericArrayData(new Object[] {null});
        }
        // A message that nobody can tell of may not vanish.
        if (handling == Handling.FAIL || !isTold(error) && handling != Handling.SKIP) {
            throw error.skippedBy(skip);
        }
        return handling == Handling.KAFKA ? null : error.getRows();
    }

    private boolean isTold(BadMessageException error) {
        if (TaskContext.get() == null) {
            return false;
        }
        boolean told = false;
        for (Reader reader : READERS.of(table)) {
            if (reader.isAt(error.getTopic(), error.getPartition(), error.getOffset())) {
                reader.leftOut(error, handling);
                told = true;
            }
        }
        return told;
    }
}
