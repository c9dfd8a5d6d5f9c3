package penstock.formats;

import com.fasterxml.jackson.core.io.NumberOutput;
import java.util.Arrays;
import org.apache.spark.unsafe.Platform;
import org.apache.spark.unsafe.types.UTF8String;

/** A growing array of bytes, kept per thread from one row to the next. */
public final class Utf8Buffer {
    private static final int INITIAL_BYTES = 1 << 10;

    // A buffer that one huge row made larger than this is not kept.
    private static final int MAX_KEPT_BYTES = 1 << 20;

    private static final int MAX_LONG_LENGTH = 20;

    private static final ThreadLocal<Utf8Buffer> BUFFERS =
            ThreadLocal.withInitial(Utf8Buffer::new);

    private byte[] bytes = new byte[INITIAL_BYTES];
    private int size;

    private Utf8Buffer() {}

    /** The empty buffer of this thread. */
    public static Utf8Buffer start() {
        Utf8Buffer buffer = BUFFERS.get();
        buffer.size = 0;
        return buffer;
    }

    /** A buffer of its own: for a text that is made while another is written. */
    public static Utf8Buffer apart() {
        return new Utf8Buffer();
    }

    /** A copy of what was written. */
    public byte[] finish() {
        byte[] result = Arrays.copyOf(bytes, size);
        if (bytes.length > MAX_KEPT_BYTES) {
            bytes = new byte[INITIAL_BYTES];
        }
        return result;
    }

    /** The array, with room for {@code more} bytes from {@link #size()} on. */
    public byte[] reserve(int more) {
        if (bytes.length - size < more) {
            bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, Math.addExact(size, more)));
        }
        return bytes;
    }

    /** Where the next byte goes. */
    public int size() {
        return size;
    }

    /** Says that bytes were written into the reserved room, up to {@code end}. */
    public void endAt(int end) {
        size = end;
    }

    /** Appends one byte. */
    public void add(char ascii) {
        reserve(1)[size++] = (byte) ascii;
    }

    /** Appends bytes. */
    public void add(byte[] more) {
        add(more, 0, more.length);
    }

    /** Appends a part of an array. */
    public void add(byte[] more, int from, int length) {
        System.arraycopy(more, from, reserve(length), size, length);
        size += length;
    }

    /** Appends an ASCII text. */
    public void add(String ascii) {
        size = Digits.ascii(ascii, reserve(ascii.length()), size);
    }

    /** Appends a whole number. */
    public void add(long number) {
        size = NumberOutput.outputLong(number, reserve(MAX_LONG_LENGTH), size);
    }

    /** Appends a text as it is. */
    public void add(UTF8String text) {
        int length = text.numBytes();
        text.writeToMemory(reserve(length), Platform.BYTE_ARRAY_OFFSET + size);
        size += length;
    }
}
