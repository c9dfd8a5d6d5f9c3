package penstock.formats.cdc;

import java.util.Map;

/** What a message says happened to the rows of a table. */
public enum Operation {
    INSERT,
    UPDATE,
    DELETE,
    /** Something that has no rows, such as a change of the table's definition. */
    NOTHING;

    /** Debezium's words. */
    public static final Map<String, Operation> DEBEZIUM =
            Map.of("c", INSERT, "r", INSERT, "u", UPDATE, "d", DELETE);

    /** What is wrong with a message whose field does not say what happened. */
    public static String unknown(String field, Object word) {
        return "Unknown \"" + field + "\" value \"" + word + "\"";
    }

    /** Whether there is a row from before it. */
    public boolean hasBefore() {
        return this == UPDATE || this == DELETE;
    }

    /** Whether there is a row after it. */
    public boolean hasAfter() {
        return this == INSERT || this == UPDATE;
    }

    /** What is wrong with a message that lacks the rows it must have for this. */
    public String missing(String field) {
        return "The \"" + field + "\" field of " + this + " message is null";
    }

    /** The same of the row before, which a tool leaves out if the database does not tell it. */
    public String missingBefore(String field, String tool) {
        return missing(field) + ", if you are using " + tool + " Postgres Connector, please check the"
                + " Postgres table has been set REPLICA IDENTITY to FULL level";
    }
}
