package penstock.formats;

/**
 * A schema registry that does not answer, or refuses. It says nothing about a message: the query
 * ends, whatever becomes of messages that cannot be read. Its text is one line: {@code
 * PENSTOCK_REGISTRY_LOST table=… option=… url=… reason=…}, or {@code …_REFUSED … reason=… instead=…}.
 */
public final class RegistryException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private RegistryException(String tag, Origin origin, String url, String reason) {
        super(tag + " table=" + ErrorText.word(origin.table()) + " option="
                + ErrorText.word(origin.option()) + " url=" + ErrorText.word(url) + " reason="
                + ErrorText.line(reason));
    }

    /**
     * Who asks the registry.
     *
     * @param table the name of the table
     * @param option the option that names the registry
     */
    public record Origin(String table, String option) implements java.io.Serializable {
        /** As the options of a format tell it. */
        public static Origin of(CodecOptions options) {
            return new Origin(options.text("table", ""), options.text("option", ""));
        }

        /** Another option of the format, as the table has it. */
        public String option(String key) {
            return "'" + option.substring(0, option.lastIndexOf('.') + 1) + key + "'";
        }
    }

    /** The registry did not answer, also not when it was asked again. */
    public static RegistryException lost(Origin origin, String url, String reason) {
        return new RegistryException("PENSTOCK_REGISTRY_LOST", origin, url, reason);
    }

    /** The registry answered, and asking again does not help, but what {@code instead} says. */
    public static RegistryException refused(
            Origin origin, String url, String reason, String instead) {
        return new RegistryException(
                "PENSTOCK_REGISTRY_REFUSED", origin, url, reason + " instead=" + instead);
    }
}
