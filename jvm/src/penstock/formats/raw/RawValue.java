package penstock.formats.raw;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.function.Function;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StringType;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.unsafe.types.UTF8String;
import penstock.formats.CodecOptions;
import penstock.formats.FieldException;

/** One value of a type and its bytes; never null. */
interface RawValue {
    Object read(byte[] message);

    byte[] write(InternalRow row);

    /** What the only column of a schema needs. */
    static RawValue of(StructType schema, CodecOptions options) {
        if (schema.length() != 1) {
            throw new IllegalArgumentException("The 'raw' format only supports single physical"
                    + " column. However the defined schema contains multiple physical columns");
        }
        boolean little = options.text("endianness", "").equalsIgnoreCase("little-endian");
        ByteOrder order = little ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN;
        DataType type = schema.fields()[0].dataType();
        if (type instanceof StringType) {
            return text(Charset.forName(options.text("charset", "UTF-8")));
        }
        if (type.equals(DataTypes.BinaryType)) {
            return made(bytes -> bytes, row -> row.getBinary(0));
        }
        if (type.equals(DataTypes.BooleanType)) {
            return sized(1, type, order, bytes -> bytes.get() != 0,
                    (bytes, row) -> bytes.put((byte) (row.getBoolean(0) ? 1 : 0)));
        }
        return number(type, order);
    }

    private static RawValue number(DataType type, ByteOrder order) {
        if (type.equals(DataTypes.ByteType)) {
            return sized(Byte.BYTES, type, order, ByteBuffer::get,
                    (bytes, row) -> bytes.put(row.getByte(0)));
        }
        if (type.equals(DataTypes.ShortType)) {
            return sized(Short.BYTES, type, order, ByteBuffer::getShort,
                    (bytes, row) -> bytes.putShort(row.getShort(0)));
        }
        if (type.equals(DataTypes.IntegerType)) {
            return sized(Integer.BYTES, type, order, ByteBuffer::getInt,
                    (bytes, row) -> bytes.putInt(row.getInt(0)));
        }
        if (type.equals(DataTypes.LongType)) {
            return sized(Long.BYTES, type, order, ByteBuffer::getLong,
                    (bytes, row) -> bytes.putLong(row.getLong(0)));
        }
        if (type.equals(DataTypes.FloatType)) {
            return sized(Float.BYTES, type, order, ByteBuffer::getFloat,
                    (bytes, row) -> bytes.putFloat(row.getFloat(0)));
        }
        if (type.equals(DataTypes.DoubleType)) {
            return sized(Double.BYTES, type, order, ByteBuffer::getDouble,
                    (bytes, row) -> bytes.putDouble(row.getDouble(0)));
        }
        throw new IllegalArgumentException(
                "The 'raw' format doesn't supports '" + type.sql() + "' as column type.");
    }

    private static RawValue text(Charset charset) {
        if (charset.equals(StandardCharsets.UTF_8)) {
            return made(UTF8String::fromBytes, row -> row.getUTF8String(0).getBytes());
        }
        return made(bytes -> UTF8String.fromString(new String(bytes, charset)),
                row -> row.getUTF8String(0).toString().getBytes(charset));
    }

    /** Puts a value into bytes. */
    interface Put {
        ByteBuffer apply(ByteBuffer bytes, InternalRow row);
    }

    private static RawValue sized(int size, DataType type, ByteOrder order,
            Function<ByteBuffer, Object> get, Put put) {
        return made(bytes -> {
            if (bytes.length != size) {
                throw new FieldException("Size of data received for deserializing "
                        + type.sql().toUpperCase(Locale.ROOT) + " type is not " + size + ".");
            }
            return get.apply(ByteBuffer.wrap(bytes).order(order));
        }, row -> put.apply(ByteBuffer.allocate(size).order(order), row).array());
    }

    private static RawValue made(Function<byte[], Object> read, Function<InternalRow, byte[]> write) {
        return new RawValue() {
            @Override
            public Object read(byte[] message) {
                return read.apply(message);
            }

            @Override
            public byte[] write(InternalRow row) {
                return write.apply(row);
            }
        };
    }
}
