package penstock.functions.hash;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Numbers in bytes, the lowest byte first. */
final class LittleEndian {
    private static final VarHandle LONGS =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle INTS =
            MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

    private LittleEndian() {}

    static long longAt(byte[] bytes, int at) {
        return (long) LONGS.get(bytes, at);
    }

    static int intAt(byte[] bytes, int at) {
        return (int) INTS.get(bytes, at);
    }

    /** Up to eight bytes, as many as there are. */
    static long tail(byte[] bytes, int from, int to) {
        long number = 0;
        for (int i = Math.min(to, from + Long.BYTES) - 1; i >= from; i--) {
            number = number << 8 | bytes[i] & 0xFF;
        }
        return number;
    }

    static byte[] bytes(long number, int width) {
        byte[] bytes = new byte[width];
        for (int i = 0; i < width; i++) {
            bytes[i] = (byte) (number >>> 8 * i);
        }
        return bytes;
    }

    static byte[] pair(long first, long second) {
        byte[] bytes = new byte[2 * Long.BYTES];
        LONGS.set(bytes, 0, first);
        LONGS.set(bytes, Long.BYTES, second);
        return bytes;
    }
}
