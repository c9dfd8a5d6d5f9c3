package penstock.functions;

/** A value that a function cannot take, as one line: {@code PENSTOCK_BAD_VALUE reason=…}. */
public final class ValueException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** With what is wrong, as a sentence. */
    public ValueException(String reason) {
        super("PENSTOCK_BAD_VALUE reason=" + reason);
    }
}
