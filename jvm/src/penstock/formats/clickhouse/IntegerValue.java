package penstock.formats.clickhouse;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Map;
import java.util.function.LongFunction;
import org.apache.spark.sql.catalyst.expressions.SpecializedGetters;
import org.apache.spark.sql.types.Decimal;
import penstock.formats.FieldException;
import penstock.formats.Utf8Buffer;

/** Whole numbers of 8 to 64 bits; one that is too large wraps around, as in ClickHouse. */
final class IntegerValue extends Value {
    private static final int UINT64_DIGITS = 20;

    static final Map<String, LongFunction<Object>> NARROWED = Map.of(
            "TINYINT", bits -> (byte) bits,
            "SMALLINT", bits -> (short) bits,
            "INT", bits -> (int) bits,
            "BIGINT", bits -> bits,
            "UINT8", bits -> (short) (bits & 0xFF),
            "UINT16", bits -> (int) (bits & 0xFFFF),
            "UINT32", bits -> bits & 0xFFFF_FFFFL,
            "UINT64", IntegerValue::unsigned);

    static final Map<String, Numeric.Getter> GETTERS = Map.of(
            "TINYINT", SpecializedGetters::getByte,
            "SMALLINT", SpecializedGetters::getShort,
            "INT", SpecializedGetters::getInt,
            "BIGINT", SpecializedGetters::getLong,
            "UINT8", SpecializedGetters::getShort,
            "UINT16", SpecializedGetters::getInt,
            "UINT32", SpecializedGetters::getLong,
            "UINT64", IntegerValue::bits);

    private final LongFunction<Object> narrowed;
    private final Numeric.Getter getter;
    private final boolean signed;
    private final boolean wide;
    private final boolean quoted;
    private final boolean boolsAsNumbers;

    IntegerValue(ColumnType type, Settings settings) {
        super(type, settings);
        this.narrowed = NARROWED.get(type.root());
        this.getter = GETTERS.get(type.root());
        this.signed = !type.root().startsWith("U");
        this.wide = type.root().equals("UINT64");
        this.quoted = (type.root().equals("BIGINT") || wide)
                && settings.flag("output_format_json_quote_64bit_integers", false);
        this.boolsAsNumbers = settings.flag("input_format_json_read_bools_as_numbers", true);
    }

    static boolean has(String root) {
        return NARROWED.containsKey(root);
    }

    private static Object unsigned(long bits) {
        if (bits >= 0) {
            return Decimal.apply(bits, UINT64_DIGITS, 0);
        }
        BigInteger number = new BigInteger(Long.toUnsignedString(bits));
        return Decimal.apply(new BigDecimal(number), UINT64_DIGITS, 0);
    }

    private static long bits(SpecializedGetters values, int position) {
        return values.getDecimal(position, UINT64_DIGITS, 0).toJavaBigDecimal().longValue();
    }

    @Override
    Object zero() {
        return narrowed.apply(0);
    }

    @Override
    Object parse(Input in, Layout layout) {
        char mark = layout.openNumber(in);
        long bits = layout.isJson() && boolsAsNumbers && isBool(in)
                ? bool(in) : digits(in, signed, layout.refusesMinus());
        close(in, mark);
        return narrowed.apply(bits);
    }

    static boolean isBool(Input in) {
        return in.peek() == 't' || in.peek() == 'f';
    }

    static int bool(Input in) {
        if (in.peek() == 't') {
            in.expect("true");
            return 1;
        }
        in.expect("false");
        return 0;
    }

    /** The number at this place; no digits at all are 0. */
    static long digits(Input in, boolean signed, boolean refusesMinus) {
        if (in.atEnd()) {
            throw Input.afterEnd();
        }
        boolean negative = false;
        int sign = in.peek();
        if (sign == '-' && !signed) {
            if (refusesMinus) {
                throw new FieldException("Unsigned type must not contain '-' symbol");
            }
            return 0;
        }
        if (sign == '-' || sign == '+') {
            negative = sign == '-';
            in.at++;
            if (in.peek() == '-' || in.peek() == '+') {
                throw new FieldException(
                        "Cannot parse number with multiple sign (+/-) characters");
            }
            if (!Input.isDigit(in.peek())) {
                throw new FieldException("Cannot parse number without any digits");
            }
        }
        long number = 0;
        byte[] bytes = in.bytes;
        int i = in.at;
        for (; i < in.end && Input.isDigit(bytes[i]); i++) {
            number = number * 10 + bytes[i] - '0';
        }
        in.at = i;
        return negative ? -number : number;
    }

    @Override
    void print(SpecializedGetters values, int position, Layout layout, Utf8Buffer out) {
        boolean marked = quoted && layout.isJson();
        if (marked) {
            out.add('"');
        }
        if (wide) {
            out.add(values.getDecimal(position, UINT64_DIGITS, 0).toString());
        } else {
            out.add(getter.get(values, position));
        }
        if (marked) {
            out.add('"');
        }
    }
}
