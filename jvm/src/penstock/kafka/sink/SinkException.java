package penstock.kafka.sink;

import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.TimeoutException;

/** An error of a sink in words that the Python side finds again in Spark's long text. */
final class SinkException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private SinkException(String kind, String table, String reason, Throwable cause) {
        super("PENSTOCK_SINK_" + kind + " table=" + table + " reason="
                + String.valueOf(reason).replaceAll("\\s+", " "), cause);
    }

    /** A row that cannot be written. */
    static SinkException row(String table, String reason) {
        return new SinkException("ROW", table, reason, null);
    }

    /** Kafka refused; the row may be good. */
    static SinkException write(String table, String reason, Throwable cause) {
        return new SinkException("WRITE", table, reason, cause);
    }

    /** What the producer said of a record, or of its connection. */
    static RuntimeException sending(String table, Throwable error) {
        Throwable root = error;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        if (root instanceof SinkException || root instanceof TimeoutException) {
            return (RuntimeException) root;
        }
        boolean ofRow = root instanceof RecordTooLargeException;
        return new SinkException(ofRow ? "ROW" : "WRITE", table, root.getMessage(), error);
    }
}
