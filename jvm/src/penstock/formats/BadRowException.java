package penstock.formats;

/**
 * A row that a format cannot write. Its text is one line: {@code PENSTOCK_BAD_ROW field=… reason=…}.
 */
public final class BadRowException extends RuntimeException {
    /** The first word of the text, by which it is found inside Spark's own exceptions. */
    public static final String TAG = "PENSTOCK_BAD_ROW";

    private static final long serialVersionUID = 1L;

    private final String field;
    private final String reason;

    /** A problem with the value of {@code field}. */
    public BadRowException(String field, String reason) {
        super(TAG + " field=" + ErrorText.word(field) + " reason=" + ErrorText.line(reason));
        this.field = field;
        this.reason = reason;
    }

    /** The dotted path of the field. */
    public String getField() {
        return field;
    }

    /** What is wrong, without the field. */
    public String getReason() {
        return reason;
    }
}
