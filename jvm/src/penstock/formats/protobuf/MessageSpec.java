package penstock.formats.protobuf;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.List;
import java.util.Map;
import penstock.formats.CodecOptions;

/**
 * A message type as Python describes it: the fields that columns ask for, in the columns' order, and
 * behind them those that matter without a column, for they are required or share a {@code oneof}.
 */
public record MessageSpec(List<Field> fields) {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    /**
     * A field.
     *
     * @param name as the column's
     * @param repeated whether it is an ARRAY; a map is not
     * @param packed whether elements are written in one run
     * @param presence whether a value that is the kind's zero is written
     * @param oneof the number of the group in which the last value counts
     * @param fallback the text of the value read where there is none, null for NULL
     * @param checked whether texts must be UTF-8
     * @param labels of an enumeration
     * @param message of messages and groups; the two fields of a map's entries
     */
    public record Field(String name, int number, Kind kind, boolean repeated, boolean packed,
            boolean presence, boolean required, Integer oneof, String fallback, boolean checked,
            Labels labels, MessageSpec message) {
        int tag() {
            return Wire.tag(number, kind.wireType());
        }

        /** Whether a value takes the place of another field's. */
        boolean excludes(Field other) {
            return oneof != null && oneof.equals(other.oneof) && number != other.number;
        }
    }

    /**
     * The labels of an enumeration.
     *
     * @param open whether numbers without a label are values
     * @param first the number of the first one in the descriptor
     * @param numbers by label, aliases too
     * @param names by number
     */
    public record Labels(boolean open, int first, Map<String, Integer> numbers,
            Map<Integer, String> names) {}

    /** The one that the options of a format tell. */
    public static MessageSpec of(CodecOptions options) {
        try {
            return MAPPER.readValue(options.text("message", ""), MessageSpec.class);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("The description of the message is no JSON", e);
        }
    }
}
