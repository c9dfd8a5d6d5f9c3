package penstock.functions.hash;

import java.io.Serializable;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Map;
import java.util.UUID;
import java.util.function.LongBinaryOperator;
import java.util.function.ToLongFunction;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.XXH64;
import org.apache.spark.unsafe.Platform;
import org.apache.spark.unsafe.hash.Murmur3_x86_32;

/**
 * ClickHouse's hash of one or several values: each by itself, then one of the hash so far and the
 * next. The kinds of the values are letters: {@code t} a text; {@code u} a UUID; {@code f}, {@code g}
 * a Float32 or Float64; {@code 1}, {@code 2}, {@code 4}, {@code 8} an integer of so many bytes;
 * {@code d}, {@code q} what ClickHouse takes for 4 or 8 bytes rather than for a number.
 */
public final class RowHash implements Serializable {
    private static final long serialVersionUID = 1L;
    private static final long LOW = 0xFFFF_FFFFL;

    /** Whether numbers have a hash of their own; the hash of bytes; the hash of two hashes. */
    private record Function(boolean ofNumbers, ToLongFunction<byte[]> ofBytes,
            LongBinaryOperator combined) {}

    private static final Map<String, Function> FUNCTIONS = Map.of(
            "cityHash64", new Function(true, CityHash::of, CityHash::combined),
            "sipHash64", new Function(false, SipHash::of,
                    (a, b) -> SipHash.of(LittleEndian.pair(a, b))),
            "halfMD5", new Function(false, RowHash::halfMd5,
                    (a, b) -> halfMd5(LittleEndian.pair(a, b))),
            "murmurHash3_64", new Function(false, MurmurHash::of, (a, b) -> IntHash.of64(a) ^ b),
            "murmurHash3_32", new Function(false, RowHash::murmur32,
                    (a, b) -> IntHash.of32(a) ^ b),
            "murmurHash2_64", new Function(false, bytes -> MurmurHash2.of64(bytes, 0),
                    (a, b) -> IntHash.of64(a) ^ b),
            "murmurHash2_32", new Function(false, bytes -> MurmurHash2.of32(bytes, 0) & LOW,
                    (a, b) -> IntHash.of32(a) ^ b),
            "xxHash64", new Function(false, RowHash::xx64, CityHash::combined),
            "xxHash32", new Function(false, bytes -> XxHash32.of(bytes) & LOW,
                    (a, b) -> IntHash.of32(a) ^ b));

    private final String name;
    private final String kinds;

    /** A function by ClickHouse's name, of values of these kinds. */
    public RowHash(String name, String kinds) {
        this.name = name;
        this.kinds = kinds;
    }

    /** The hash, null if a value is. */
    public Long of(InternalRow values) {
        Function function = FUNCTIONS.get(name);
        long hash = 0;
        for (int i = 0; i < kinds.length(); i++) {
            if (values.isNullAt(i)) {
                return null;
            }
            long own = value(function, values, i);
            hash = i == 0 ? own : function.combined.applyAsLong(hash, own);
        }
        return hash;
    }

    private long value(Function function, InternalRow values, int at) {
        return switch (kinds.charAt(at)) {
            case 't' -> function.ofBytes.applyAsLong(values.getUTF8String(at).getBytes());
            case 'u' -> function.ofBytes.applyAsLong(uuid(values.getUTF8String(at).toString()));
            case 'f' -> number(function, Float.floatToRawIntBits(values.getFloat(at)), 4);
            case 'g' -> number(function, Double.doubleToRawLongBits(values.getDouble(at)), 8);
            case 'd' -> function.ofBytes.applyAsLong(LittleEndian.bytes(values.getLong(at), 4));
            case 'q' -> function.ofBytes.applyAsLong(LittleEndian.bytes(values.getLong(at), 8));
            default -> number(function, values.getLong(at), kinds.charAt(at) - '0');
        };
    }

    private static long number(Function function, long bits, int width) {
        if (!function.ofNumbers) {
            return function.ofBytes.applyAsLong(LittleEndian.bytes(bits, width));
        }
        return IntHash.of64(width == Long.BYTES ? bits : bits & (1L << 8 * width) - 1);
    }

    private static byte[] uuid(String text) {
        UUID uuid = UUID.fromString(text);
        return LittleEndian.pair(
                uuid.getMostSignificantBits(), uuid.getLeastSignificantBits());
    }

    private static long xx64(byte[] bytes) {
        return XXH64.hashUnsafeBytes(bytes, Platform.BYTE_ARRAY_OFFSET, bytes.length, 0);
    }

    private static long murmur32(byte[] bytes) {
        return Murmur3_x86_32.hashUnsafeBytes2(
                bytes, Platform.BYTE_ARRAY_OFFSET, bytes.length, 0) & LOW;
    }

    private static long halfMd5(byte[] bytes) {
        try {
            return ByteBuffer.wrap(MessageDigest.getInstance("MD5").digest(bytes)).getLong();
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
