package penstock.formats.clickhouse.avro;

import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.LongFunction;
import org.apache.avro.LogicalTypes;
import org.apache.avro.Schema;
import org.apache.avro.io.Decoder;
import org.apache.avro.util.Utf8;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.util.ArrayBasedMapData;
import org.apache.spark.sql.catalyst.util.GenericArrayData;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.unsafe.types.UTF8String;
import penstock.formats.CodecOptions;
import penstock.formats.FieldException;
import penstock.formats.avro.AvroReader;
import penstock.formats.clickhouse.Addresses;
import penstock.formats.clickhouse.ColumnType;
import penstock.formats.clickhouse.Numeric;
import penstock.formats.clickhouse.Value;

/**
 * Readers for each pair of an Avro schema and a type of ClickHouse. Numbers go into any type that is
 * kept as a number, as they are: without regard to units, cut to its bits.
 */
final class ColumnReaders {
    private static final int UUID_LENGTH = 36;

    private final CodecOptions options;
    private final boolean nullAsDefault;

    ColumnReaders(CodecOptions options) {
        this.options = options;
        this.nullAsDefault = options.flag("input_format_null_as_default", true)
                || options.flag("input_format_avro_null_as_default");
    }

    /** The reader of values that a schema wrote. */
    AvroReader of(Schema schema, ColumnType type) {
        AvroReader found = switch (schema.getType()) {
            case NULL -> nothing(type);
            case UNION -> union(schema, type);
            case STRING, BYTES -> bytes(schema, type);
            case FIXED -> fixed(schema, type);
            case INT, LONG, FLOAT, DOUBLE, BOOLEAN -> number(schema, type);
            case ENUM -> symbol(schema, type);
            case ARRAY -> type.root().equals("ARRAY")
                    ? array(of(schema.getElementType(), type.children().get(0))) : null;
            case MAP -> type.root().equals("MAP") ? map(schema, type) : null;
            case RECORD -> type.root().equals("ROW") ? tuple(schema, type) : null;
        };
        if (found == null) {
            throw new FieldException("The type of the column is not compatible with Avro "
                    + schema.getType().getName());
        }
        return found;
    }

    private AvroReader nothing(ColumnType type) {
        if (!type.nullable() && !nullAsDefault) {
            throw notNullable("Null");
        }
        Object absent = Value.of(type, options).absent();
        return in -> absent;
    }

    private static FieldException notNullable(String what) {
        return new FieldException("Cannot insert Avro " + what + " into non-nullable type. To use"
                + " default value on NULL, enable setting input_format_null_as_default");
    }

    private AvroReader union(Schema schema, ColumnType type) {
        List<Schema> branches = schema.getTypes();
        boolean optional = branches.size() == 2 && schema.isNullable();
        if (branches.size() != 1 && !optional) {
            return null;
        }
        int present = optional && branches.get(0).getType() == Schema.Type.NULL ? 1 : 0;
        if (optional && !type.nullable() && !nullAsDefault) {
            throw notNullable("Union(Null, " + branches.get(present).getType().getName() + ")");
        }
        AvroReader reader = of(branches.get(present), type);
        Object absent = Value.of(type, options).absent();
        return in -> in.readIndex() == present ? reader.read(in) : absent;
    }

    private AvroReader bytes(Schema schema, ColumnType type) {
        return switch (type.root()) {
            case "UUID" -> uuid(schema, type);
            case "VARCHAR" -> ColumnReaders::text;
            case "FIXEDSTRING" -> in -> filled(text(in).getBytes(), type);
            case "DECIMAL" -> decimal(schema, type);
            case "TIMESTAMP_LTZ" -> time(schema, type);
            default -> null;
        };
    }

    private static UTF8String text(Decoder in) throws IOException {
        Utf8 text = in.readString(null);
        return UTF8String.fromBytes(text.getBytes(), 0, text.getByteLength());
    }

    private static Object filled(byte[] text, ColumnType type) {
        if (text.length > type.precision()) {
            throw new FieldException("Too large string for FixedString column");
        }
        return UTF8String.fromBytes(Arrays.copyOf(text, type.precision()));
    }

    private AvroReader uuid(Schema schema, ColumnType type) {
        Value value = Value.of(type.required(), options);
        return in -> {
            byte[] text = raw(schema, in);
            if (text.length != UUID_LENGTH) {
                throw new FieldException("Cannot parse uuid " + UTF8String.fromBytes(text));
            }
            return value.ofText(UTF8String.fromBytes(text));
        };
    }

    private AvroReader fixed(Schema schema, ColumnType type) {
        int size = schema.getFixedSize();
        return switch (type.root()) {
            case "VARCHAR" -> in -> UTF8String.fromBytes(raw(schema, in));
            case "FIXEDSTRING" -> size == type.precision()
                    ? in -> UTF8String.fromBytes(raw(schema, in)) : null;
            case "IPV6" -> size == Addresses.V6_BYTES
                    ? in -> Addresses.ofBytes(raw(schema, in)) : null;
            case "UUID" -> uuid(schema, type);
            case "DECIMAL" -> decimal(schema, type);
            case "TIMESTAMP_LTZ" -> time(schema, type);
            default -> null;
        };
    }

    private static byte[] raw(Schema schema, Decoder in) throws IOException {
        if (schema.getType() != Schema.Type.FIXED) {
            ByteBuffer buffer = in.readBytes(null);
            byte[] bytes = new byte[buffer.remaining()];
            buffer.get(bytes);
            return bytes;
        }
        byte[] bytes = new byte[schema.getFixedSize()];
        in.readFixed(bytes);
        return bytes;
    }

    private static AvroReader decimal(Schema schema, ColumnType type) {
        return unscaled(schema, type.precision(), type.scale(), number -> {
            BigDecimal value = new BigDecimal(number, type.scale());
            if (value.precision() > type.precision()) {
                throw new FieldException("Decimal value is too big: " + value);
            }
            return Decimal.apply(value, type.precision(), type.scale());
        });
    }

    private static AvroReader time(Schema schema, ColumnType type) {
        if (type.precision() == 0) {
            return null;
        }
        LongFunction<Object> value = Numeric.of(type).value();
        return unscaled(schema, DecimalSize.TIME_DIGITS, type.precision(),
                number -> value.apply(number.longValue()));
    }

    private static AvroReader unscaled(
            Schema schema, int precision, int scale, Function<BigInteger, Object> value) {
        LogicalTypes.Decimal written =
                schema.getLogicalType() instanceof LogicalTypes.Decimal d ? d : null;
        int writtenPrecision = written == null ? 0 : written.getPrecision();
        int writtenScale = written == null ? 0 : written.getScale();
        if (precision != writtenPrecision || scale != writtenScale) {
            throw new FieldException("Cannot insert Avro decimal with scale " + writtenScale
                    + " and precision " + writtenPrecision + " to a type with scale " + scale
                    + " and precision " + precision);
        }
        int most = DecimalSize.of(precision).bytes();
        return in -> {
            byte[] bytes = raw(schema, in);
            if (bytes.length == 0 || bytes.length > most) {
                throw new FieldException("expected non-empty binary data with size equal to or"
                        + " less than " + most + ", got " + bytes.length);
            }
            return value.apply(new BigInteger(bytes));
        };
    }

    private static AvroReader number(Schema schema, ColumnType type) {
        if (type.root().equals("FLOAT") || type.root().equals("DOUBLE")) {
            boolean single = type.root().equals("FLOAT");
            return in -> {
                Number found = number(schema.getType(), in);
                return single ? (Object) found.floatValue() : (Object) found.doubleValue();
            };
        }
        Numeric numeric = Numeric.of(type);
        if (numeric == null) {
            return null;
        }
        LongFunction<Object> value = numeric.value();
        return in -> value.apply(number(schema.getType(), in).longValue());
    }

    private static Number number(Schema.Type written, Decoder in) throws IOException {
        return switch (written) {
            case INT -> in.readInt();
            case LONG -> in.readLong();
            case FLOAT -> in.readFloat();
            case DOUBLE -> in.readDouble();
            default -> in.readBoolean() ? 1 : 0;
        };
    }

    private AvroReader symbol(Schema schema, ColumnType type) {
        boolean known = type.root().startsWith("ENUM");
        if (!known && !type.root().equals("VARCHAR")) {
            return null;
        }
        List<String> symbols = schema.getEnumSymbols();
        for (String symbol : symbols) {
            if (known && !type.labels().contains(symbol)) {
                throw new FieldException("Unknown element '" + symbol + "' for enum");
            }
        }
        return in -> {
            int place = in.readEnum();
            if (place < 0 || place >= symbols.size()) {
                throw new FieldException("no symbol of its enumeration: " + place);
            }
            return UTF8String.fromString(symbols.get(place));
        };
    }

    private static AvroReader array(AvroReader element) {
        return in -> {
            List<Object> values = new ArrayList<>();
            for (long left = in.readArrayStart(); left > 0; left = in.arrayNext()) {
                for (long i = 0; i < left; i++) {
                    values.add(element.read(in));
                }
            }
            return new GenericArrayData(values.toArray());
        };
    }

    /** The last of two equal keys counts. */
    private AvroReader map(Schema schema, ColumnType type) {
        Value key = Value.of(type.children().get(0), options);
        AvroReader value = of(schema.getValueType(), type.children().get(1));
        return in -> {
            Map<Object, Object> entries = new LinkedHashMap<>();
            for (long left = in.readMapStart(); left > 0; left = in.mapNext()) {
                for (long i = 0; i < left; i++) {
                    Object name = key.ofText(text(in));
                    entries.put(name, value.read(in));
                }
            }
            return new ArrayBasedMapData(new GenericArrayData(entries.keySet().toArray()),
                    new GenericArrayData(entries.values().toArray()));
        };
    }

    private AvroReader tuple(Schema schema, ColumnType type) {
        List<Schema.Field> written = schema.getFields();
        int width = type.children().size();
        if (written.size() != width) {
            throw new FieldException(
                    "The number of leaves in record doesn't match the number of elements in tuple");
        }
        List<String> names = type.children().stream().map(ColumnType::name).toList();
        AvroReader[] readers = new AvroReader[width];
        int[] places = new int[width];
        for (int i = 0; i < width; i++) {
            places[i] = names.indexOf(written.get(i).name());
            if (places[i] < 0) {
                throw new FieldException(
                        "Tuple doesn't have element with name '" + written.get(i).name() + "'");
            }
            readers[i] = of(written.get(i).schema(), type.children().get(places[i]));
        }
        return in -> {
            Object[] values = new Object[width];
            for (int i = 0; i < width; i++) {
                values[places[i]] = readers[i].read(in);
            }
            return new GenericInternalRow(values);
        };
    }
}
