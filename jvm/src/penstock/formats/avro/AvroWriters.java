package penstock.formats.avro;

import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.apache.avro.LogicalTypes;
import org.apache.avro.Schema;
import org.apache.avro.io.Encoder;
import org.apache.avro.util.Utf8;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.SpecializedGetters;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.catalyst.util.MapData;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.MapType;
import org.apache.spark.sql.types.StringType;
import org.apache.spark.sql.types.StructType;
import penstock.formats.FieldException;

/** The writer for each pair of an Avro schema and a SQL type. */
final class AvroWriters {
    private AvroWriters() {}

    /** A writer of whole rows; where the schema allows for no record at all, there is one. */
    static Rows rows(Schema schema, StructType type) {
        if (!schema.isUnion()) {
            return record(schema, type)::write;
        }
        Schema branch = AvroSchemas.branch(schema);
        AvroRowWriter record = record(branch, type);
        int index = schema.getTypes().indexOf(branch);
        return (row, out) -> {
            out.writeIndex(index);
            record.write(row, out);
        };
    }

    private static AvroRowWriter record(Schema schema, StructType type) {
        if (schema.getType() != Schema.Type.RECORD) {
            throw mismatch(schema, type);
        }
        return new AvroRowWriter(schema, type);
    }

    /** Writes a row. */
    interface Rows {
        void write(InternalRow row, Encoder out) throws IOException;
    }

    static AvroWriter writer(Schema schema, DataType type) {
        if (!schema.isUnion()) {
            return notNull(present(schema, type));
        }
        Schema branch = AvroSchemas.branch(schema);
        int something = schema.getTypes().indexOf(branch);
        AvroWriter present = present(branch, type);
        return schema.isNullable() ? nullable(1 - something, something, present)
                : notNull((values, position, out) -> {
                    out.writeIndex(something);
                    present.write(values, position, out);
                });
    }

    private static AvroWriter notNull(AvroWriter present) {
        return (values, position, out) -> {
            if (values.isNullAt(position)) {
                throw new FieldException("it is NULL, and NOT NULL in the Avro schema");
            }
            present.write(values, position, out);
        };
    }

    private static AvroWriter nullable(int nothing, int something, AvroWriter present) {
        return (values, position, out) -> {
            if (values.isNullAt(position)) {
                out.writeIndex(nothing);
                out.writeNull();
            } else {
                out.writeIndex(something);
                present.write(values, position, out);
            }
        };
    }

    private static AvroWriter present(Schema schema, DataType type) {
        return switch (schema.getType()) {
            case RECORD -> new AvroRowWriter(schema, expect(StructType.class, schema, type));
            case ARRAY -> array(writer(schema.getElementType(),
                    expect(ArrayType.class, schema, type).elementType()));
            case MAP -> map(schema, expect(MapType.class, schema, type));
            case STRING, ENUM -> text(schema, expect(StringType.class, schema, type));
            case BYTES, FIXED -> bytes(schema, type);
            default -> plain(schema, type);
        };
    }

    private static <T extends DataType> T expect(Class<T> kind, Schema schema, DataType type) {
        if (!kind.isInstance(type)) {
            throw mismatch(schema, type);
        }
        return kind.cast(type);
    }

    private static IllegalArgumentException mismatch(Schema schema, DataType type) {
        return new IllegalArgumentException(
                "A value of " + type.sql() + " cannot be written as " + schema);
    }

    private static AvroWriter plain(Schema schema, DataType type) {
        Whole whole = AvroTime.is(type) ? time(schema, type) : whole(type);
        switch (schema.getType()) {
            case BOOLEAN:
                if (type.equals(DataTypes.BooleanType)) {
                    return (values, at, out) -> out.writeBoolean(values.getBoolean(at));
                }
                break;
            case INT:
                if (whole != null && !type.equals(DataTypes.LongType)) {
                    return (values, at, out) -> out.writeInt((int) whole.of(values, at));
                }
                break;
            case LONG:
                if (whole != null) {
                    return (values, at, out) -> out.writeLong(whole.of(values, at));
                }
                break;
            case FLOAT:
                if (type.equals(DataTypes.FloatType)) {
                    return (values, at, out) -> out.writeFloat(values.getFloat(at));
                }
                break;
            case DOUBLE:
                if (type.equals(DataTypes.FloatType)) {
                    return (values, at, out) -> out.writeDouble(values.getFloat(at));
                }
                if (type.equals(DataTypes.DoubleType)) {
                    return (values, at, out) -> out.writeDouble(values.getDouble(at));
                }
                break;
            default:
                break;
        }
        throw mismatch(schema, type);
    }

    /** A value as a whole number. */
    private interface Whole {
        long of(SpecializedGetters values, int position);
    }

    private static Whole whole(DataType type) {
        if (type.equals(DataTypes.ByteType)) {
            return SpecializedGetters::getByte;
        }
        if (type.equals(DataTypes.ShortType)) {
            return SpecializedGetters::getShort;
        }
        if (type.equals(DataTypes.IntegerType)) {
            return SpecializedGetters::getInt;
        }
        return type.equals(DataTypes.LongType) ? SpecializedGetters::getLong : null;
    }

    private static Whole time(Schema schema, DataType type) {
        AvroTime time = AvroTime.of(schema, type);
        if (time == null) {
            throw mismatch(schema, type);
        }
        return switch (time.kind()) {
            case DATE -> SpecializedGetters::getInt;
            case TIME -> (values, at) -> values.getLong(at) / time.nanos();
            case TIMESTAMP -> time.nanos() < AvroTime.MICRO
                    ? (values, at) -> Math.multiplyExact(values.getLong(at), AvroTime.MICRO)
                    : (values, at) ->
                            Math.floorDiv(values.getLong(at), time.nanos() / AvroTime.MICRO);
        };
    }

    private static AvroWriter text(Schema schema, StringType type) {
        if (schema.getType() == Schema.Type.STRING) {
            return (values, at, out) ->
                    out.writeString(new Utf8(values.getUTF8String(at).getBytes()));
        }
        return (values, at, out) -> {
            String name = values.getUTF8String(at).toString();
            if (!schema.hasEnumSymbol(name)) {
                throw new FieldException("not a symbol of " + schema.getFullName() + ": " + name);
            }
            out.writeEnum(schema.getEnumOrdinal(name));
        };
    }

    /** A registered schema may have other digits than the column. */
    private static BigDecimal scaled(BigDecimal value, LogicalTypes.Decimal written) {
        BigDecimal fits = value.stripTrailingZeros();
        int whole = fits.signum() == 0 ? 0 : fits.precision() - fits.scale();
        if (fits.scale() > written.getScale()
                || whole > written.getPrecision() - written.getScale()) {
            throw new FieldException(value.toPlainString() + " does not fit decimal("
                    + written.getPrecision() + ", " + written.getScale() + ")");
        }
        return value.setScale(written.getScale());
    }

    private static AvroWriter bytes(Schema schema, DataType type) {
        boolean isFixed = schema.getType() == Schema.Type.FIXED;
        int size = isFixed ? schema.getFixedSize() : 0;
        if (type instanceof DecimalType decimal) {
            if (!(schema.getLogicalType() instanceof LogicalTypes.Decimal written)) {
                throw mismatch(schema, type);
            }
            return (values, at, out) -> {
                BigDecimal value = values.getDecimal(at, decimal.precision(), decimal.scale())
                        .toJavaBigDecimal();
                byte[] unscaled = scaled(value, written).unscaledValue().toByteArray();
                put(isFixed ? signExtended(unscaled, size) : unscaled, isFixed, out);
            };
        }
        if (!type.equals(DataTypes.BinaryType)) {
            throw mismatch(schema, type);
        }
        return (values, at, out) -> {
            byte[] bytes = values.getBinary(at);
            if (isFixed && bytes.length != size) {
                throw new FieldException(bytes.length + " bytes where there must be " + size);
            }
            put(bytes, isFixed, out);
        };
    }

    private static void put(byte[] bytes, boolean isFixed, Encoder out) throws IOException {
        if (isFixed) {
            out.writeFixed(bytes);
        } else {
            out.writeBytes(ByteBuffer.wrap(bytes));
        }
    }

    private static byte[] signExtended(byte[] number, int size) {
        if (number.length > size) {
            throw new FieldException("a decimal of more than " + size + " bytes: "
                    + new BigInteger(number));
        }
        byte[] wide = new byte[size];
        Arrays.fill(wide, (byte) (number[0] < 0 ? -1 : 0));
        System.arraycopy(number, 0, wide, size - number.length, number.length);
        return wide;
    }

    private static AvroWriter array(AvroWriter element) {
        return (values, at, out) -> {
            ArrayData array = values.getArray(at);
            out.writeArrayStart();
            out.setItemCount(array.numElements());
            for (int i = 0; i < array.numElements(); i++) {
                out.startItem();
                element.write(array, i, out);
            }
            out.writeArrayEnd();
        };
    }

    private static AvroWriter map(Schema schema, MapType type) {
        if (!(type.keyType() instanceof StringType)) {
            throw new IllegalArgumentException("Avro format doesn't support non-string as key type"
                    + " of map. The key type is: " + type.keyType().sql());
        }
        AvroWriter value = writer(schema.getValueType(), type.valueType());
        return (values, at, out) -> {
            MapData map = values.getMap(at);
            ArrayData keys = map.keyArray();
            out.writeMapStart();
            out.setItemCount(map.numElements());
            for (int i = 0; i < map.numElements(); i++) {
                if (keys.isNullAt(i)) {
                    throw new FieldException("a key of the map is NULL");
                }
                out.startItem();
                out.writeString(new Utf8(keys.getUTF8String(i).getBytes()));
                value.write(map.valueArray(), i, out);
            }
            out.writeMapEnd();
        };
    }
}
