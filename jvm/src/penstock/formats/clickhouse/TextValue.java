package penstock.formats.clickhouse;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.catalyst.expressions.SpecializedGetters;
import org.apache.spark.unsafe.types.UTF8String;
import penstock.formats.FieldException;
import penstock.formats.Utf8Buffer;

/** What stands in a message as a string: String, FixedString and Enum. */
abstract class TextValue extends Value {
    private TextValue(ColumnType type, Settings settings) {
        super(type, settings);
    }

    @Override
    void print(SpecializedGetters values, int position, Layout layout, Utf8Buffer out) {
        layout.write(values.getUTF8String(position), out);
    }

    /** String: any bytes; in JSON also the text of any other value. */
    static final class Text extends TextValue {
        Text(ColumnType type, Settings settings) {
            super(type, settings);
        }

        @Override
        Object zero() {
            return UTF8String.EMPTY_UTF8;
        }

        @Override
        Object parse(Input in, Layout layout) {
            return layout.isJson() ? JsonLayout.anything(in) : layout.string(in);
        }
    }

    /** FixedString(N): filled up with zero bytes. */
    static final class Fixed extends TextValue {
        private final int length;

        Fixed(ColumnType type, Settings settings) {
            super(type, settings);
            this.length = type.precision();
        }

        @Override
        Object zero() {
            return UTF8String.fromBytes(new byte[length]);
        }

        @Override
        Object parse(Input in, Layout layout) {
            byte[] text = layout.string(in).getBytes();
            if (text.length > length) {
                throw new FieldException("Too large value for FixedString(" + length + ")");
            }
            return UTF8String.fromBytes(Arrays.copyOf(text, length));
        }
    }

    /** Enum8 and Enum16: by name or by number. */
    static final class Enumeration extends TextValue {
        private final Map<UTF8String, UTF8String> byName = new HashMap<>();
        private final Map<Long, UTF8String> byNumber = new HashMap<>();
        private final UTF8String first;

        Enumeration(ColumnType type, Settings settings) {
            super(type, settings);
            List<String> labels = type.labels();
            for (int i = 0; i < labels.size(); i++) {
                UTF8String label = UTF8String.fromString(labels.get(i));
                byName.put(label, label);
                byNumber.put(type.numbers().get(i).longValue(), label);
            }
            this.first = UTF8String.fromString(labels.get(0));
        }

        @Override
        Object zero() {
            return first;
        }

        @Override
        Object parse(Input in, Layout layout) {
            if (layout.isJson() && in.peek() != '"') {
                return numbered(IntegerValue.digits(in, true, true));
            }
            UTF8String text = layout.string(in);
            UTF8String label = byName.get(text);
            if (label != null) {
                return label;
            }
            byte[] bytes = text.getBytes();
            boolean isNumber = bytes.length > 0
                    && (Input.isDigit(bytes[0]) || bytes[0] == '-' && bytes.length > 1);
            if (isNumber) {
                Input digits = new Input(bytes);
                long number = IntegerValue.digits(digits, true, true);
                if (digits.atEnd()) {
                    return numbered(number);
                }
            }
            throw new FieldException("Unknown element '" + text + "' for enum");
        }

        private UTF8String numbered(long number) {
            UTF8String label = byNumber.get(number);
            if (label == null) {
                throw new FieldException("Unexpected value " + number + " in enum");
            }
            return label;
        }
    }
}
