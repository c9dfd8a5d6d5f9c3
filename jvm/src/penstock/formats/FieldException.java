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
        super(cut(reason), null, false, false);
        this.path = path;
    }

    /** A reason may hold a whole value, and that may be the message. */
    private static String cut(String reason) {
        return reason.length() > MAX_REASON ? reason.substring(0, MAX_REASON) + "…" : reason;
    }

    /** The same problem, or the one that {@code cause} tells. */
    public static FieldException of(Exception cause) {
        if (cause instanceof FieldException) {
            return (FieldException) cause;
        }
        return new FieldException(firstLine(cause));
    }

    /** The first line of a cause: parsers add the place in the text, which the excerpt shows. */
    public static String firstLine(Exception cause) {
        String message = String.valueOf(cause.getMessage());
        int end = message.indexOf('\n');
        return cut(end < 0 ? message : message.substring(0, end));
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
