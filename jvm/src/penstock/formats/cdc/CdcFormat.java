package penstock.formats.cdc;

import java.util.Map;
import penstock.formats.CodecOptions;

/**
 * How the messages of a format say what happened.
 *
 * @param name of the format
 * @param title what errors call it
 * @param first a field with rows
 * @param second the other field with rows
 * @param operation the field with the operation
 * @param operations the operations by the words the format has for them
 * @param metadata what a message tells beside its rows, by the key that a table asks for it
 */
record CdcFormat(String name, String title, RowsField first, RowsField second, String operation,
        Map<String, Operation> operations, Map<String, CdcMetadata> metadata) {
    /** The name of the SQL function that reads it. */
    String function() {
        return "penstock_" + name.replace('-', '_') + "_decode";
    }

    /** An option as the table of these options writes it. */
    String option(String key, CodecOptions options) {
        return "'" + options.text("prefix", "") + name + "." + key + "'";
    }
}
