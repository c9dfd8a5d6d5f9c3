package penstock.functions.hash;

import static penstock.functions.hash.LittleEndian.intAt;
import static penstock.functions.hash.LittleEndian.longAt;

/** CityHash of 64 bits in its version 1.0.2, which ClickHouse keeps to; later ones differ. */
final class CityHash {
    private static final long K0 = 0xc3a5c85c97cb3127L;
    private static final long K1 = 0xb492b66fbe98f273L;
    private static final long K2 = 0x9ae16a3b2f90404fL;
    private static final long K3 = 0xc949d7c7509e6557L;
    private static final long MULTIPLIER = 0x9ddfea08eb382d69L;
    private static final int BLOCK = 64;

    private CityHash() {}

    static long of(byte[] bytes) {
        int length = bytes.length;
        if (length <= 16) {
            return short16(bytes, length);
        }
        if (length <= 32) {
            return short32(bytes, length);
        }
        return length <= BLOCK ? short64(bytes, length) : blocks(bytes, length);
    }

    /** One hash of two. */
    static long combined(long low, long high) {
        long a = (low ^ high) * MULTIPLIER;
        a ^= a >>> 47;
        long b = (high ^ a) * MULTIPLIER;
        b ^= b >>> 47;
        return b * MULTIPLIER;
    }

    private static long mixed(long value) {
        return value ^ value >>> 47;
    }

    private static long turned(long value, int by) {
        return Long.rotateRight(value, by);
    }

    private static long short16(byte[] s, int length) {
        if (length > 8) {
            long last = longAt(s, length - 8);
            return combined(longAt(s, 0), turned(last + length, length)) ^ last;
        }
        if (length >= 4) {
            long first = intAt(s, 0) & 0xFFFF_FFFFL;
            return combined(length + (first << 3), intAt(s, length - 4) & 0xFFFF_FFFFL);
        }
        if (length == 0) {
            return K2;
        }
        long y = (s[0] & 0xFF) + ((s[length >> 1] & 0xFF) << 8);
        long z = length + ((s[length - 1] & 0xFF) << 2);
        return mixed(y * K2 ^ z * K3) * K2;
    }

    private static long short32(byte[] s, int length) {
        long a = longAt(s, 0) * K1;
        long b = longAt(s, 8);
        long c = longAt(s, length - 8) * K2;
        long d = longAt(s, length - 16) * K0;
        return combined(turned(a - b, 43) + turned(c, 30) + d,
                a + turned(b ^ K3, 20) - c + length);
    }

    private static long short64(byte[] s, int length) {
        long start = longAt(s, 0) + (length + longAt(s, length - 16)) * K0;
        long[] v = quarter(start, longAt(s, 24), longAt(s, 8), longAt(s, 16));
        long end = longAt(s, 16) + longAt(s, length - 32);
        long[] w = quarter(end, longAt(s, length - 8), longAt(s, length - 24),
                longAt(s, length - 16));
        long r = mixed((v[0] + w[1]) * K2 + (w[0] + v[1]) * K0);
        return mixed(r * K0 + v[1]) * K2;
    }

    private static long[] quarter(long start, long z, long second, long third) {
        long a = start;
        long b = turned(a + z, 52);
        long c = turned(a, 37);
        a += second;
        c += turned(a, 7);
        a += third;
        return new long[] {a + z, b + turned(a, 31) + c};
    }

    /** Sets a pair to the hash of 32 bytes with two seeds. */
    private static void weak(byte[] s, int at, long first, long second, long[] pair) {
        long a = first + longAt(s, at);
        long z = longAt(s, at + 24);
        long b = turned(second + a + z, 21);
        long c = a;
        a += longAt(s, at + 8) + longAt(s, at + 16);
        b += turned(a, 44);
        pair[0] = a + z;
        pair[1] = b + c;
    }

    private static long blocks(byte[] s, int length) {
        long x = longAt(s, 0);
        long y = longAt(s, length - 16) ^ K1;
        long z = longAt(s, length - 56) ^ K0;
        long[] v = new long[2];
        long[] w = new long[2];
        weak(s, length - 64, length, y, v);
        weak(s, length - 32, length * K1, K0, w);
        z += mixed(v[1]) * K1;
        x = turned(z + x, 39) * K1;
        y = turned(y, 33) * K1;
        int whole = length - 1 & ~(BLOCK - 1);
        for (int at = 0; at < whole; at += BLOCK) {
            x = turned(x + y + v[0] + longAt(s, at + 16), 37) * K1;
            y = turned(y + v[1] + longAt(s, at + 48), 42) * K1;
            x ^= w[1];
            y ^= v[0];
            z = turned(z ^ w[0], 33);
            weak(s, at, v[1] * K1, x + w[0], v);
            weak(s, at + 32, z + w[1], y, w);
            long swapped = z;
            z = x;
            x = swapped;
        }
        return combined(combined(v[0], w[0]) + mixed(y) * K1 + z, combined(v[1], w[1]) + x);
    }
}
