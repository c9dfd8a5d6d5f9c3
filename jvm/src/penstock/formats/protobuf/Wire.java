package penstock.formats.protobuf;

import penstock.formats.Utf8Buffer;

/** The wire format: its numbers, and how they are written. {@link WireInput} reads them. */
public final class Wire {
    static final int VARINT = 0;
    static final int FIXED64 = 1;
    /** The wire type of texts, bytes and messages, which have their length before them. */
    public static final int DELIMITED = 2;
    static final int START_GROUP = 3;
    static final int END_GROUP = 4;
    static final int FIXED32 = 5;

    /** Messages inside of messages, as Google's own readers allow by default. */
    static final int MAX_DEPTH = 100;

    private static final int MAX_VARINT_LENGTH = 10;

    private Wire() {}

    /** What stands before a value. */
    public static int tag(int number, int wireType) {
        return number << 3 | wireType;
    }

    /** Appends a number, seven bits to a byte. */
    public static void varint(long value, Utf8Buffer out) {
        byte[] room = out.reserve(MAX_VARINT_LENGTH);
        out.endAt(putVarint(value, room, out.size()));
    }

    static void fixed32(int value, Utf8Buffer out) {
        fixed(value, Integer.BYTES, out);
    }

    static void fixed64(long value, Utf8Buffer out) {
        fixed(value, Long.BYTES, out);
    }

    static void delimited(byte[] bytes, Utf8Buffer out) {
        varint(bytes.length, out);
        out.add(bytes);
    }

    /** Leaves room for the length of what follows; {@link #end} takes what this gives. */
    public static int begin(Utf8Buffer out) {
        out.add((char) 0);
        return out.size();
    }

    /** Writes the length of what was written since {@link #begin}. */
    public static void end(int start, Utf8Buffer out) {
        int length = out.size() - start;
        int more = varintLength(length) - 1;
        byte[] bytes = out.reserve(more);
        System.arraycopy(bytes, start, bytes, start + more, length);
        putVarint(length, bytes, start - 1);
        out.endAt(start + more + length);
    }

    private static void fixed(long value, int size, Utf8Buffer out) {
        byte[] room = out.reserve(size);
        int at = out.size();
        for (int i = 0; i < size; i++) {
            room[at + i] = (byte) (value >>> 8 * i);
        }
        out.endAt(at + size);
    }

    private static int putVarint(long value, byte[] target, int at) {
        long rest = value;
        int end = at;
        while ((rest & ~0x7FL) != 0) {
            target[end++] = (byte) (rest | 0x80);
            rest >>>= 7;
        }
        target[end++] = (byte) rest;
        return end;
    }

    static int varintLength(int length) {
        return (38 - Integer.numberOfLeadingZeros(length | 1)) / 7;
    }
}
