package penstock.formats.protobuf;

import java.util.Arrays;
import org.apache.spark.unsafe.types.UTF8String;
import penstock.formats.FieldException;

/** A place in a message that moves on as values are read, and the end of the part being read. */
public final class WireInput {
    private static final int MAX_VARINT_BITS = 70;
    private static final int WIRE_TYPE_BITS = 3;
    private static final int MAX_NUMBER = (1 << 29) - 1;

    private final byte[] bytes;
    private int at;
    private int end;

    /** An input that begins at an offset. */
    public WireInput(byte[] bytes, int offset) {
        this.bytes = bytes;
        this.at = offset;
        this.end = bytes.length;
    }

    /** Whether the part being read ends here. */
    public boolean atEnd() {
        return at >= end;
    }

    /** The number of the next field and how its value stands there. */
    public int tag() {
        long tag = varint();
        long number = tag >>> WIRE_TYPE_BITS;
        if (number == 0 || number > MAX_NUMBER) {
            throw new FieldException("a field has the number " + Long.toUnsignedString(number));
        }
        return (int) tag;
    }

    long varint() {
        long value = 0;
        for (int shift = 0; shift < MAX_VARINT_BITS; shift += 7) {
            byte next = bytes[advance(1)];
            value |= (long) (next & 0x7F) << shift;
            if (next >= 0) {
                return value;
            }
        }
        throw new FieldException("a number has more than 64 bits");
    }

    int fixed32() {
        return (int) fixed(Integer.BYTES);
    }

    long fixed64() {
        return fixed(Long.BYTES);
    }

    byte[] delimited() {
        int length = length();
        int start = advance(length);
        return Arrays.copyOfRange(bytes, start, start + length);
    }

    UTF8String text() {
        int length = length();
        return UTF8String.fromBytes(bytes, advance(length), length);
    }

    /** From now on the input ends behind the next length-delimited part; gives the end before. */
    public int enter() {
        int length = length();
        int start = advance(length);
        int outer = end;
        at = start;
        end = start + length;
        return outer;
    }

    /** Goes on behind the part that was entered. */
    public void leave(int outer) {
        at = end;
        end = outer;
    }

    /** Leaves out the value of a field, with all groups in it. */
    public void skip(int tag, int depth) {
        switch (tag & 7) {
            case Wire.VARINT -> varint();
            case Wire.FIXED64 -> advance(Long.BYTES);
            case Wire.DELIMITED -> advance(length());
            case Wire.START_GROUP -> skipGroup(tag >>> WIRE_TYPE_BITS, depth + 1);
            case Wire.FIXED32 -> advance(Integer.BYTES);
            default -> throw new FieldException("there is no wire type " + (tag & 7));
        }
    }

    private void skipGroup(int number, int depth) {
        checkDepth(depth);
        int tag = tag();
        while ((tag & 7) != Wire.END_GROUP) {
            skip(tag, depth);
            tag = tag();
        }
        checkEnd(tag, number);
    }

    static void checkEnd(int tag, int number) {
        if (tag >>> WIRE_TYPE_BITS != number) {
            throw new FieldException("a group ends that has not begun");
        }
    }

    static void checkDepth(int depth) {
        if (depth > Wire.MAX_DEPTH) {
            throw new FieldException("messages are nested more than " + Wire.MAX_DEPTH + " deep");
        }
    }

    private long fixed(int size) {
        int start = advance(size);
        long value = 0;
        for (int i = 0; i < size; i++) {
            value |= (bytes[start + i] & 0xFFL) << 8 * i;
        }
        return value;
    }

    private int length() {
        int length = (int) varint();
        if (length < 0) {
            throw new FieldException("a length is negative");
        }
        return length;
    }

    /** Moves on by a number of bytes and gives the first of them. */
    private int advance(int length) {
        if (length > end - at) {
            throw new FieldException("the message ends in the middle of a field");
        }
        int start = at;
        at += length;
        return start;
    }
}
