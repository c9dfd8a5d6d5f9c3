package penstock.formats.avro;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.apache.avro.io.Decoder;
import org.apache.avro.util.Utf8;
import penstock.formats.FieldException;

/**
 * Avro's binary encoding over the bytes of one message. Avro's own decoder makes room for what a
 * length says before it looks whether the bytes are there: a broken message could take all memory.
 */
public final class AvroBytes extends Decoder {
    // Items without bytes, such as nulls, are counted but not there.
    private static final int MAX_EMPTY_ITEMS = 1 << 20;
    private static final int MAX_VARINT_BITS = 70;

    private final byte[] bytes;
    private int at;

    /** A decoder that begins at an offset. */
    public AvroBytes(byte[] bytes, int offset) {
        this.bytes = bytes;
        this.at = offset;
    }

    /** Whether all bytes have been read. */
    public boolean atEnd() {
        return at == bytes.length;
    }

    /** Moves on by that many bytes; where they begin. */
    private int take(long length) {
        if (length < 0 || length > bytes.length - at) {
            throw new FieldException("the message ends before it: " + length + " bytes at "
                    + at + " of " + bytes.length);
        }
        int begin = at;
        at += (int) length;
        return begin;
    }

    @Override
    public void readNull() {}

    @Override
    public boolean readBoolean() {
        return bytes[take(1)] == 1;
    }

    @Override
    public int readInt() {
        long value = readLong();
        if (value != (int) value) {
            throw new FieldException("Invalid int encoding: " + value);
        }
        return (int) value;
    }

    @Override
    public long readLong() {
        long value = 0;
        for (int shift = 0; shift < MAX_VARINT_BITS; shift += 7) {
            byte next = bytes[take(1)];
            value |= (next & 0x7FL) << shift;
            if (next >= 0) {
                return value >>> 1 ^ -(value & 1);
            }
        }
        throw new FieldException("Invalid long encoding");
    }

    @Override
    public float readFloat() {
        return Float.intBitsToFloat((int) littleEndian(Float.BYTES));
    }

    @Override
    public double readDouble() {
        return Double.longBitsToDouble(littleEndian(Double.BYTES));
    }

    private long littleEndian(int size) {
        int begin = take(size);
        long value = 0;
        for (int i = size - 1; i >= 0; i--) {
            value = value << 8 | bytes[begin + i] & 0xFF;
        }
        return value;
    }

    @Override
    public Utf8 readString(Utf8 old) {
        return new Utf8(sized());
    }

    @Override
    public String readString() {
        return new String(sized(), StandardCharsets.UTF_8);
    }

    @Override
    public ByteBuffer readBytes(ByteBuffer old) {
        return ByteBuffer.wrap(sized());
    }

    private byte[] sized() {
        long length = readLong();
        int begin = take(length);
        return Arrays.copyOfRange(bytes, begin, at);
    }

    @Override
    public void skipString() {
        take(readLong());
    }

    @Override
    public void skipBytes() {
        take(readLong());
    }

    @Override
    public void readFixed(byte[] into, int start, int length) {
        System.arraycopy(bytes, take(length), into, start, length);
    }

    @Override
    public void skipFixed(int length) {
        take(length);
    }

    @Override
    public int readEnum() {
        return readInt();
    }

    @Override
    public int readIndex() {
        return readInt();
    }

    @Override
    public long readArrayStart() {
        long count = readLong();
        if (count < 0) {
            readLong();
            count = -count;
        }
        return bounded(count);
    }

    private long bounded(long count) {
        if (count < 0 || count > (long) bytes.length - at + MAX_EMPTY_ITEMS) {
            throw new FieldException("the message ends before it: " + count + " items at "
                    + at + " of " + bytes.length);
        }
        return count;
    }

    @Override
    public long arrayNext() {
        return readArrayStart();
    }

    /** Passes over blocks that say their size; the number of items of the next that does not. */
    @Override
    public long skipArray() {
        long count = readLong();
        while (count < 0) {
            take(readLong());
            count = readLong();
        }
        return bounded(count);
    }

    @Override
    public long readMapStart() {
        return readArrayStart();
    }

    @Override
    public long mapNext() {
        return readArrayStart();
    }

    @Override
    public long skipMap() {
        return skipArray();
    }
}
