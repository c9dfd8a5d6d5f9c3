package penstock.formats;

import org.apache.spark.sql.types.DataType;

/**
 * A value that does not fit its field. It travels from the field up to the message or row it belongs
 * to and collects the field's path on the way; it has no stack trace, for it may be thrown often.
 */
public final class FieldException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private static final int MAX_REASON = 300;

    private final String path;

    /** A problem whose field is not known yet. */
    public FieldException(String reason) {
        this("", reason);
    }

    private FieldException(String path, String reason) {
        super(reason, null, false, false);
        this.path = path;
    }

    /** The same problem, or the one that {@code cause} tells. */
    public static FieldException of(Exception cause) {
        if (cause instanceof FieldException) {
            return (FieldException) cause;
        }
        return new FieldException(firstLine(cause));
    }

    /**
     * The first line of a cause: parsers add the place in the text, which the excerpt shows. It is
     * cut where it holds a whole value, which may be the message.
     */
    public static String firstLine(Exception cause) {
        String message = String.valueOf(cause.getMessage());
        int end = message.indexOf('\n');
        String line = end < 0 ? message : message.substring(0, end);
        return line.length() > MAX_REASON ? line.substring(0, MAX_REASON) + "…" : line;
    }

    /** The same problem seen from the row that holds the field, a field of this type. */
    public FieldException within(String field, DataType type) {
        if (path.isEmpty()) {
            return new FieldException(field, "not a valid " + type.sql() + ": " + getMessage());
        }
        return within(field);
    }

    /** The same problem seen from the row that holds the field. */
    public FieldException within(String field) {
        return new FieldException(path.isEmpty() ? field : field + "." + path, getMessage());
    }

    /** The dotted path of the field, empty if the whole message is wrong. */
    public String path() {
        return path;
    }
}
