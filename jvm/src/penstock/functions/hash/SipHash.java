package penstock.functions.hash;

/** SipHash-2-4 of 64 bits, its key all zeros. */
final class SipHash {
    private long v0 = 0x736f6d6570736575L;
    private long v1 = 0x646f72616e646f6dL;
    private long v2 = 0x6c7967656e657261L;
    private long v3 = 0x7465646279746573L;

    private SipHash() {}

    static long of(byte[] bytes) {
        SipHash state = new SipHash();
        int whole = bytes.length & -Long.BYTES;
        for (int at = 0; at < whole; at += Long.BYTES) {
            state.add(LittleEndian.longAt(bytes, at));
        }
        state.add(LittleEndian.tail(bytes, whole, bytes.length) | (long) bytes.length << 56);
        state.v2 ^= 0xFF;
        for (int i = 0; i < 4; i++) {
            state.round();
        }
        return state.v0 ^ state.v1 ^ state.v2 ^ state.v3;
    }

    private void add(long word) {
        v3 ^= word;
        round();
        round();
        v0 ^= word;
    }

    private void round() {
        v0 += v1;
        v1 = Long.rotateLeft(v1, 13) ^ v0;
        v0 = Long.rotateLeft(v0, 32);
        v2 += v3;
        v3 = Long.rotateLeft(v3, 16) ^ v2;
        v0 += v3;
        v3 = Long.rotateLeft(v3, 21) ^ v0;
        v2 += v1;
        v1 = Long.rotateLeft(v1, 17) ^ v2;
        v2 = Long.rotateLeft(v2, 32);
    }
}
