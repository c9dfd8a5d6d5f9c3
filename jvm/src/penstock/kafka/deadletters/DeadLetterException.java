package penstock.kafka.deadletters;

/** Its text is one line: {@code PENSTOCK_DEAD_LETTER table=… topic=… reason=…}. */
final class DeadLetterException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    DeadLetterException(LetterSpec spec, Throwable cause) {
        super("PENSTOCK_DEAD_LETTER table=" + spec.table() + " topic=" + spec.topic() + " reason="
                + reason(cause), cause);
    }

    private static String reason(Throwable error) {
        Throwable root = error;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return String.valueOf(root.getMessage()).replaceAll("\\s+", " ");
    }
}
