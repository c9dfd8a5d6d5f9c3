package penstock.functions.hash;

import static penstock.functions.hash.LittleEndian.longAt;
import static penstock.functions.hash.LittleEndian.tail;

/** MurmurHash 3 for processors of 64 bits, its two halves folded into one. */
final class MurmurHash {
    private static final long C1 = 0x87c37b91114253d5L;
    private static final long C2 = 0x4cf5ad432745937fL;
    private static final int BLOCK = 16;

    private MurmurHash() {}

    static long of(byte[] bytes) {
        int length = bytes.length;
        int whole = length & -BLOCK;
        long h1 = 0;
        long h2 = 0;
        for (int at = 0; at < whole; at += BLOCK) {
            h1 = Long.rotateLeft(h1 ^ first(longAt(bytes, at)), 27) + h2;
            h1 = h1 * 5 + 0x52dce729;
            h2 = Long.rotateLeft(h2 ^ second(longAt(bytes, at + 8)), 31) + h1;
            h2 = h2 * 5 + 0x38495ab5;
        }
        h2 ^= second(tail(bytes, whole + 8, length));
        h1 ^= first(tail(bytes, whole, length));
        h1 ^= length;
        h2 ^= length;
        h1 += h2;
        h2 += h1;
        h1 = IntHash.mixed(h1);
        h2 = IntHash.mixed(h2);
        h1 += h2;
        h2 += h1;
        return h1 ^ h2;
    }

    private static long first(long word) {
        return Long.rotateLeft(word * C1, 31) * C2;
    }

    private static long second(long word) {
        return Long.rotateLeft(word * C2, 33) * C1;
    }
}
