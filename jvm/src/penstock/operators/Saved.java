package penstock.operators;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInput;
import java.io.DataInputStream;
import java.io.DataOutput;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;

/** What an operator keeps of a key, as bytes. */
public final class Saved {
    /** Writes what is kept. */
    public interface Writer {
        /** One part behind the other. */
        void write(DataOutput out) throws IOException;
    }

    /** Reads what was kept. */
    public interface Reader<T> {
        /** The parts in the order in which they were written. */
        T read(DataInputStream in) throws IOException;
    }

    private Saved() {}

    /** The bytes of what is written. */
    public static byte[] of(Writer writer) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            writer.write(out);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    /** What is read of bytes that were written so. */
    public static <T> T read(byte[] saved, Reader<T> reader) {
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(saved))) {
            return reader.read(in);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A part of any length. */
    public static void putBytes(DataOutput out, byte[] bytes) throws IOException {
        out.writeInt(bytes.length);
        out.write(bytes);
    }

    /** A part of any length, as it was put. */
    public static byte[] bytes(DataInput in) throws IOException {
        byte[] bytes = new byte[in.readInt()];
        in.readFully(bytes);
        return bytes;
    }
}
