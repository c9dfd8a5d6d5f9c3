package penstock.formats.protobuf;

import java.util.Base64;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.unsafe.types.UTF8String;

/** The values of scalar fields that a message does not have, from the text Python gave. */
final class Fallbacks {
    private Fallbacks() {}

    static Object value(MessageSpec.Field field, DataType type, String text) {
        return switch (field.kind()) {
            case BOOL -> Boolean.valueOf(text);
            case INT32, SINT32, SFIXED32 -> Integer.valueOf(text);
            case UINT32, FIXED32 -> Integer.parseUnsignedInt(text);
            case INT64, SINT64, SFIXED64 -> Long.valueOf(text);
            case UINT64, FIXED64 -> Long.parseUnsignedLong(text);
            case FLOAT -> Float.valueOf(text);
            case DOUBLE -> Double.valueOf(text);
            case BYTES -> Base64.getDecoder().decode(text);
            case ENUM -> new Label(field.labels(), type).finish(Integer.valueOf(text));
            default -> UTF8String.fromString(text);
        };
    }
}
