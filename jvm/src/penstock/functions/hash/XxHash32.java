package penstock.functions.hash;

import static penstock.functions.hash.LittleEndian.intAt;

/** XXH32 with the seed 0. */
final class XxHash32 {
    private static final int P1 = 0x9E3779B1;
    private static final int P2 = 0x85EBCA77;
    private static final int P3 = 0xC2B2AE3D;
    private static final int P4 = 0x27D4EB2F;
    private static final int P5 = 0x165667B1;
    private static final int BLOCK = 16;

    private XxHash32() {}

    static int of(byte[] bytes) {
        int length = bytes.length;
        int at = length & -BLOCK;
        int hash = (at > 0 ? blocks(bytes, at) : P5) + length;
        for (; at + Integer.BYTES <= length; at += Integer.BYTES) {
            hash = Integer.rotateLeft(hash + intAt(bytes, at) * P3, 17) * P4;
        }
        for (; at < length; at++) {
            hash = Integer.rotateLeft(hash + (bytes[at] & 0xFF) * P5, 11) * P1;
        }
        hash = (hash ^ hash >>> 15) * P2;
        hash = (hash ^ hash >>> 13) * P3;
        return hash ^ hash >>> 16;
    }

    private static int blocks(byte[] bytes, int end) {
        int[] lanes = {P1 + P2, P2, 0, -P1};
        for (int at = 0; at < end; at += Integer.BYTES) {
            int lane = at / Integer.BYTES & 3;
            lanes[lane] = Integer.rotateLeft(lanes[lane] + intAt(bytes, at) * P2, 13) * P1;
        }
        return Integer.rotateLeft(lanes[0], 1) + Integer.rotateLeft(lanes[1], 7)
                + Integer.rotateLeft(lanes[2], 12) + Integer.rotateLeft(lanes[3], 18);
    }
}
