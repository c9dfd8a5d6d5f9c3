package penstock.formats.json;

import com.fasterxml.jackson.core.Base64Variants;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.math.BigDecimal;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.unsafe.types.UTF8String;
import penstock.formats.DateText;
import penstock.formats.Decimals;
import penstock.formats.FieldException;
import penstock.formats.TimeText;
import penstock.formats.TimestampText;

/** Flink's coercions of JSON scalars, one method per SQL type. */
final class JsonScalars {
    private JsonScalars() {}

    /** Anything but a true is a false; nothing is an error. */
    static Object bool(JsonParser parser) throws IOException {
        switch (parser.currentToken()) {
            case VALUE_TRUE:
                return Boolean.TRUE;
            case START_OBJECT:
            case START_ARRAY:
                parser.skipChildren();
                return Boolean.FALSE;
            default:
                return Boolean.parseBoolean(parser.getText().trim());
        }
    }

    static Object tinyint(JsonParser parser) throws IOException {
        if (parser.currentToken() != JsonToken.VALUE_NUMBER_INT) {
            return Byte.parseByte(parser.getText().trim());
        }
        int value = parser.getIntValue();
        if (value != (byte) value) {
            throw new FieldException("Numeric value (" + value + ") out of range of TINYINT");
        }
        return (byte) value;
    }

    static Object smallint(JsonParser parser) throws IOException {
        return parser.currentToken() == JsonToken.VALUE_NUMBER_INT
                ? parser.getShortValue() : Short.parseShort(parser.getText().trim());
    }

    static Object integer(JsonParser parser) throws IOException {
        return parser.currentToken().isNumeric()
                ? parser.getIntValue() : Integer.parseInt(parser.getText().trim());
    }

    static Object bigint(JsonParser parser) throws IOException {
        return parser.currentToken().isNumeric()
                ? parser.getLongValue() : Long.parseLong(parser.getText().trim());
    }

    static Object real(JsonParser parser) throws IOException {
        return parser.currentToken() == JsonToken.VALUE_NUMBER_FLOAT
                ? parser.getFloatValue() : Float.parseFloat(parser.getText().trim());
    }

    static Object doubled(JsonParser parser) throws IOException {
        return parser.currentToken() == JsonToken.VALUE_NUMBER_FLOAT
                ? parser.getDoubleValue() : Double.parseDouble(parser.getText().trim());
    }

    /** A reader of decimals of one type. */
    static JsonReader decimal(DecimalType type) {
        return parser -> {
            BigDecimal number = parser.currentToken().isNumeric()
                    ? parser.getDecimalValue() : Decimals.parse(parser.getText().trim());
            return Decimals.fit(number, type);
        };
    }

    static Object bytes(JsonParser parser) throws IOException {
        if (parser.currentToken() != JsonToken.VALUE_STRING) {
            throw new FieldException("expected base64 in a string, found " + parser.getText());
        }
        return Base64Variants.MIME_NO_LINEFEEDS.decode(parser.getText());
    }

    static Object date(JsonParser parser) throws IOException {
        return DateText.days(parser.getText());
    }

    static Object time(JsonParser parser) throws IOException {
        return TimeText.nanos(parser.getText());
    }

    /** A reader of timestamps of one form. */
    static JsonReader timestamp(TimestampText form) {
        return parser -> {
            if (parser.currentToken() != JsonToken.VALUE_STRING) {
                char[] text = parser.getText().toCharArray();
                return form.micros(text, 0, text.length);
            }
            return form.micros(parser.getTextCharacters(), parser.getTextOffset(),
                    parser.getTextLength());
        };
    }

    /** The text of a scalar, straight from the parser's characters where they are ASCII. */
    static UTF8String text(JsonParser parser) throws IOException {
        if (parser.currentToken() != JsonToken.VALUE_STRING) {
            return UTF8String.fromString(parser.getText());
        }
        char[] chars = parser.getTextCharacters();
        int from = parser.getTextOffset();
        int length = parser.getTextLength();
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            char c = chars[from + i];
            if (c >= 0x80) {
                return UTF8String.fromString(new String(chars, from, length));
            }
            bytes[i] = (byte) c;
        }
        return UTF8String.fromBytes(bytes);
    }
}
