package penstock.operators;

/** The kinds of change a row of a changelog stands for, as the TINYINT column carries them. */
public final class RowKind {
    /** {@code +I}: a row appears. */
    public static final byte INSERT = 0;

    /** {@code -U}: the row as it was before an update. */
    public static final byte UPDATE_BEFORE = 1;

    /** {@code +U}: the row as it is after an update; in an upsert stream also a row that appears. */
    public static final byte UPDATE_AFTER = 2;

    /** {@code -D}: a row goes. */
    public static final byte DELETE = 3;

    private RowKind() {}

    /** Whether a row of this kind is there from now on. */
    public static boolean isPresent(byte kind) {
        return kind == INSERT || kind == UPDATE_AFTER;
    }
}
