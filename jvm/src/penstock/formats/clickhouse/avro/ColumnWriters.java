package penstock.formats.clickhouse.avro;

import java.io.IOException;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import org.apache.avro.LogicalType;
import org.apache.avro.LogicalTypes;
import org.apache.avro.NameValidator;
import org.apache.avro.Schema;
import org.apache.avro.io.Encoder;
import org.apache.avro.util.Utf8;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.SpecializedGetters;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.catalyst.util.MapData;
import org.apache.spark.unsafe.types.UTF8String;
import penstock.formats.CodecOptions;
import penstock.formats.FieldException;
import penstock.formats.avro.AvroWriter;
import penstock.formats.clickhouse.Addresses;
import penstock.formats.clickhouse.ColumnType;
import penstock.formats.clickhouse.Numeric;
import penstock.formats.clickhouse.Value;

/** The schema that ClickHouse derives from each type, and the writer of values that goes with it. */
final class ColumnWriters {
    private final CodecOptions options;
    private final Pattern texts;
    // ClickHouse numbers the types of a table and names those by it that Avro wants a name for.
    private int number;

    private ColumnWriters(CodecOptions options) {
        this.options = options;
        this.texts = Pattern.compile(options.text("output_format_avro_string_column_pattern", ""));
    }

    /**
     * How a column is written.
     *
     * @param schema what stands in the schema
     * @param writer writes a value
     */
    private record Written(Schema schema, AvroWriter writer) {}

    /**
     * How rows are written.
     *
     * @param schema of a record
     * @param columns the names of its fields
     * @param writers of them
     */
    record Rows(Schema schema, List<String> columns, List<AvroWriter> writers) {
        void write(InternalRow row, Encoder out) throws IOException {
            for (int i = 0; i < writers.size(); i++) {
                try {
                    writers.get(i).write(row, i, out);
                } catch (FieldException e) {
                    throw e.within(columns.get(i));
                }
            }
        }
    }

    /** Writes the columns of a table as the fields of a record; their names may be any. */
    // Avro has no other way to say so to a schema that is not parsed.
    @SuppressWarnings("deprecation")
    static Rows rows(List<ColumnType> columns, CodecOptions options) {
        NameValidator usual = Schema.getNameValidator();
        Schema.setNameValidator(NameValidator.NO_VALIDATION);
        try {
            return new ColumnWriters(options).record(columns, "row");
        } finally {
            Schema.setNameValidator(usual);
        }
    }

    private Rows record(List<ColumnType> columns, String name) {
        List<Schema.Field> fields = new ArrayList<>();
        List<AvroWriter> writers = new ArrayList<>();
        for (ColumnType column : columns) {
            Written written = of(column, column.name());
            fields.add(new Schema.Field(column.name(), written.schema));
            writers.add(written.writer);
        }
        Schema schema = Schema.createRecord(name, null, null, false, fields);
        return new Rows(schema, columns.stream().map(ColumnType::name).toList(), writers);
    }

    private Written tuple(ColumnType type, String column) {
        Rows rows = record(type.children(), column + "_" + number);
        return new Written(rows.schema, (values, position, out) ->
                rows.write(values.getStruct(position, rows.writers.size()), out));
    }

    private Written of(ColumnType type, String column) {
        number++;
        if (type.nullable()) {
            Written present = of(type.required(), column);
            return new Written(
                    Schema.createUnion(Schema.create(Schema.Type.NULL), present.schema),
                    nullable(present.writer));
        }
        Written written = present(type, column);
        return new Written(written.schema, (values, position, out) -> {
            if (values.isNullAt(position)) {
                throw new FieldException("it is NULL, and its type is not Nullable");
            }
            written.writer.write(values, position, out);
        });
    }

    private static AvroWriter nullable(AvroWriter present) {
        return (values, position, out) -> {
            out.writeIndex(values.isNullAt(position) ? 0 : 1);
            if (!values.isNullAt(position)) {
                present.write(values, position, out);
            }
        };
    }

    private Written present(ColumnType type, String column) {
        return switch (type.root()) {
            case "BOOLEAN" -> new Written(Schema.create(Schema.Type.BOOLEAN),
                    (values, at, out) -> out.writeBoolean(values.getBoolean(at)));
            case "FLOAT" -> new Written(Schema.create(Schema.Type.FLOAT),
                    (values, at, out) -> out.writeFloat(values.getFloat(at)));
            case "DOUBLE" -> new Written(Schema.create(Schema.Type.DOUBLE),
                    (values, at, out) -> out.writeDouble(values.getDouble(at)));
            case "VARCHAR" -> text(column);
            case "FIXEDSTRING" -> new Written(
                    Schema.createFixed("fixed_" + number, null, null, type.precision()),
                    (values, at, out) -> out.writeFixed(values.getUTF8String(at).getBytes()));
            case "UUID" -> new Written(
                    logical(Schema.Type.STRING, LogicalTypes.uuid()),
                    (values, at, out) -> out.writeString(utf8(values.getUTF8String(at))));
            case "IPV6" -> new Written(
                    Schema.createFixed("ipv6_" + number, null, null, Addresses.V6_BYTES),
                    (values, at, out) ->
                            out.writeFixed(Addresses.bytes(values.getUTF8String(at))));
            case "ENUM8", "ENUM16" -> symbol(type);
            case "DECIMAL" -> decimal(type);
            case "ARRAY" -> array(type, column);
            case "MAP" -> map(type, column);
            case "ROW" -> tuple(type, column);
            default -> whole(type);
        };
    }

    private static Schema logical(Schema.Type type, LogicalType logical) {
        return logical.addToSchema(Schema.create(type));
    }

    private static Utf8 utf8(UTF8String text) {
        return new Utf8(text.getBytes());
    }

    private Written text(String column) {
        if (texts.matcher(column).find()) {
            return new Written(Schema.create(Schema.Type.STRING),
                    (values, at, out) -> out.writeString(utf8(values.getUTF8String(at))));
        }
        return new Written(Schema.create(Schema.Type.BYTES),
                (values, at, out) -> out.writeBytes(values.getUTF8String(at).getBytes()));
    }

    private Written symbol(ColumnType type) {
        String name = type.root().equals("ENUM8") ? "enum8_" : "enum16";
        List<String> labels = type.labels();
        Schema schema = Schema.createEnum(name + number, null, null, labels);
        return new Written(schema, (values, at, out) -> {
            String label = values.getUTF8String(at).toString();
            int place = labels.indexOf(label);
            if (place < 0) {
                throw new FieldException("Unknown element '" + label + "' for enum");
            }
            out.writeEnum(place);
        });
    }

    /** As many bytes as ClickHouse keeps a decimal of these digits in. */
    private static Written decimal(int precision, int scale, Unscaled unscaled) {
        int size = DecimalSize.of(precision).bytes();
        return new Written(logical(Schema.Type.BYTES, LogicalTypes.decimal(precision, scale)),
                (values, at, out) -> {
                    byte[] number = unscaled.of(values, at).toByteArray();
                    byte[] wide = new byte[size];
                    Arrays.fill(wide, (byte) (number[0] < 0 ? -1 : 0));
                    System.arraycopy(number, 0, wide, size - number.length, number.length);
                    out.writeBytes(wide);
                });
    }

    /** Gives the units of a decimal. */
    private interface Unscaled {
        BigInteger of(SpecializedGetters values, int position);
    }

    private static Written decimal(ColumnType type) {
        int precision = type.precision();
        int scale = type.scale();
        return decimal(precision, scale, (values, at) -> values.getDecimal(at, precision, scale)
                .toJavaBigDecimal().setScale(scale).unscaledValue());
    }

    private Written array(ColumnType type, String column) {
        Written element = of(type.children().get(0), column);
        return new Written(Schema.createArray(element.schema), (values, at, out) -> {
            ArrayData array = values.getArray(at);
            out.writeArrayStart();
            out.setItemCount(array.numElements());
            for (int i = 0; i < array.numElements(); i++) {
                out.startItem();
                element.writer.write(array, i, out);
            }
            out.writeArrayEnd();
        });
    }

    private Written map(ColumnType type, String column) {
        Value key = Value.of(type.children().get(0), options);
        Written value = of(type.children().get(1), column + ".value");
        return new Written(Schema.createMap(value.schema), (values, at, out) -> {
            MapData map = values.getMap(at);
            out.writeMapStart();
            out.setItemCount(map.numElements());
            for (int i = 0; i < map.numElements(); i++) {
                out.startItem();
                out.writeString(new Utf8(key.text(map.keyArray(), i)));
                value.writer.write(map.valueArray(), i, out);
            }
            out.writeMapEnd();
        });
    }

    /** Numbers, days, seconds: 32 bits are written as those of an int, whatever the sign. */
    private static Written whole(ColumnType type) {
        Numeric.Getter getter = Numeric.of(type).number();
        return switch (type.root()) {
            case "BIGINT", "UINT64" -> longs(Schema.create(Schema.Type.LONG), getter);
            case "TIMESTAMP_LTZ" -> time(type.precision(), getter);
            case "DATE", "DATE32" -> ints(LogicalTypes.date(), getter);
            default -> ints(null, getter);
        };
    }

    private static Written time(int digits, Numeric.Getter getter) {
        return switch (digits) {
            case 0 -> ints(null, getter);
            case 3 -> longs(logical(Schema.Type.LONG, LogicalTypes.timestampMillis()), getter);
            case 6 -> longs(logical(Schema.Type.LONG, LogicalTypes.timestampMicros()), getter);
            default -> decimal(DecimalSize.TIME_DIGITS, digits,
                    (values, at) -> BigInteger.valueOf(getter.get(values, at)));
        };
    }

    private static Written ints(LogicalType logical, Numeric.Getter getter) {
        Schema plain = Schema.create(Schema.Type.INT);
        return new Written(logical == null ? plain : logical.addToSchema(plain),
                (values, at, out) -> out.writeInt((int) getter.get(values, at)));
    }

    private static Written longs(Schema schema, Numeric.Getter getter) {
        return new Written(schema, (values, at, out) -> out.writeLong(getter.get(values, at)));
    }
}
