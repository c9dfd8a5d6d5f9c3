package penstock.formats.cdc;

import java.util.Map;

/**
 * How the messages of a format say what happened.
 *
 * @param title what errors call the format
 * @param function the name of the SQL function that reads it
 * @param first the field with the rows of an insert, or those before a change
 * @param second the other field with rows
 * @param operation the field with the operation
 * @param operations the operations by the words the format has for them
 * @param metadata what a message tells beside its rows, by the key that a table asks for it
 */
record CdcFormat(String title, String function, RowsField first, RowsField second,
        String operation, Map<String, Operation> operations, Map<String, CdcMetadata> metadata) {}
