package penstock.formats.avro;

import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.Map;
import org.apache.avro.LogicalType;
import org.apache.avro.LogicalTypes;
import org.apache.avro.Schema;
import org.apache.avro.io.Decoder;
import org.apache.avro.util.Utf8;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.StringType;
import org.apache.spark.sql.types.TimeType;
import org.apache.spark.unsafe.types.UTF8String;
import penstock.formats.Decimals;
import penstock.formats.FieldException;

/** Readers of Avro's scalars, by what was written and the type that is asked for. */
final class AvroScalars {
    private static final long NANOS_PER_DAY = 86_400_000_000_000L;

    private static final Map<DataType, AvroReader> PLAIN = Map.of(
            DataTypes.BooleanType, Decoder::readBoolean,
            DataTypes.ByteType, AvroScalars::tinyint,
            DataTypes.ShortType, AvroScalars::smallint,
            DataTypes.IntegerType, Decoder::readInt);

    private AvroScalars() {}

    /** What reads a value of the writer's schema, which Avro lets the reader's take. */
    static AvroReader reader(Schema writer, Schema reader, DataType type) {
        if (reader.getType() == Schema.Type.NULL) {
            return in -> {
                in.readNull();
                return null;
            };
        }
        if (PLAIN.containsKey(type)) {
            return PLAIN.get(type);
        }
        if (type instanceof StringType) {
            return writer.getType() == Schema.Type.STRING ? AvroScalars::text
                    : in -> UTF8String.fromBytes(bytes(writer, in));
        }
        if (type.equals(DataTypes.BinaryType)) {
            return in -> bytes(writer, in);
        }
        if (type instanceof DecimalType decimal) {
            return decimal(writer, reader, decimal);
        }
        return AvroTime.is(type) ? time(writer, type) : number(writer, type);
    }

    /** Whether a value can be read that Avro itself lets no reader take. */
    static boolean isReadable(Schema writer, DataType type) {
        return switch (writer.getType()) {
            case FIXED -> type instanceof DecimalType
                    && writer.getLogicalType() instanceof LogicalTypes.Decimal;
            case LONG -> type instanceof TimeType && AvroTime.of(writer, type) != null;
            default -> false;
        };
    }

    private static AvroReader number(Schema writer, DataType type) {
        Schema.Type written = writer.getType();
        boolean isWhole = written == Schema.Type.INT || written == Schema.Type.LONG;
        if (type.equals(DataTypes.LongType)) {
            return in -> whole(writer, in);
        }
        if (type.equals(DataTypes.FloatType)) {
            return isWhole ? in -> (float) whole(writer, in) : Decoder::readFloat;
        }
        if (type.equals(DataTypes.DoubleType)) {
            if (written == Schema.Type.FLOAT) {
                return in -> (double) in.readFloat();
            }
            return isWhole ? in -> (double) whole(writer, in) : Decoder::readDouble;
        }
        throw unsupported(type);
    }

    static IllegalArgumentException unsupported(DataType type) {
        return new IllegalArgumentException("Unsupported to derive Schema for type: " + type.sql());
    }

    private static Object tinyint(Decoder in) throws IOException {
        int value = in.readInt();
        if (value != (byte) value) {
            throw outOfRange(value);
        }
        return (byte) value;
    }

    private static Object smallint(Decoder in) throws IOException {
        int value = in.readInt();
        if (value != (short) value) {
            throw outOfRange(value);
        }
        return (short) value;
    }

    private static FieldException outOfRange(int value) {
        return new FieldException("Numeric value (" + value + ") out of range");
    }

    private static long whole(Schema writer, Decoder in) throws IOException {
        return writer.getType() == Schema.Type.INT ? in.readInt() : in.readLong();
    }

    static UTF8String text(Decoder in) throws IOException {
        Utf8 text = in.readString((Utf8) null);
        return UTF8String.fromBytes(text.getBytes(), 0, text.getByteLength());
    }

    private static byte[] bytes(Schema writer, Decoder in) throws IOException {
        if (writer.getType() == Schema.Type.FIXED) {
            byte[] fixed = new byte[writer.getFixedSize()];
            in.readFixed(fixed);
            return fixed;
        }
        if (writer.getType() == Schema.Type.STRING) {
            return text(in).getBytes();
        }
        ByteBuffer buffer = in.readBytes(null);
        byte[] bytes = new byte[buffer.remaining()];
        buffer.get(bytes);
        return bytes;
    }

    /** The scale is the one it was written with; NULL if the column has no room for the number. */
    private static AvroReader decimal(Schema writer, Schema reader, DecimalType type) {
        boolean isPlain = writer.getProp("logicalType") == null;
        LogicalType logical = isPlain ? reader.getLogicalType() : writer.getLogicalType();
        if (!isPlain && !(logical instanceof LogicalTypes.Decimal)) {
            return mismatch(writer);
        }
        int scale = logical instanceof LogicalTypes.Decimal d ? d.getScale() : type.scale();
        return in -> {
            byte[] unscaled = bytes(writer, in);
            if (unscaled.length == 0) {
                throw new FieldException("a decimal without bytes");
            }
            return Decimals.fit(new BigDecimal(new BigInteger(unscaled), scale), type);
        };
    }

    private static AvroReader time(Schema writer, DataType type) {
        AvroTime time = AvroTime.of(writer, type);
        if (time == null) {
            return mismatch(writer);
        }
        return switch (time.kind()) {
            case DATE -> Decoder::readInt;
            case TIME -> in -> timeOfDay(whole(writer, in), time.nanos());
            case TIMESTAMP -> time.nanos() < AvroTime.MICRO
                    ? in -> Math.floorDiv(in.readLong(), AvroTime.MICRO)
                    : in -> timestamp(in.readLong(), time.nanos() / AvroTime.MICRO);
        };
    }

    /** A field may not fit and never come, in a union. */
    private static AvroReader mismatch(Schema writer) {
        return in -> {
            throw new FieldException("it was written as " + writer);
        };
    }

    private static Object timeOfDay(long count, long nanos) {
        if (count < 0 || count >= NANOS_PER_DAY / nanos) {
            throw new FieldException("no time of the day: " + count);
        }
        return count * nanos;
    }

    private static Object timestamp(long count, long micros) {
        if (Math.multiplyHigh(count, micros) != count * micros >> 63) {
            throw new FieldException("no time that can be kept: " + count);
        }
        return count * micros;
    }
}
