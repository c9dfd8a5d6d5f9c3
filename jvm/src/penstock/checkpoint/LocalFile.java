package penstock.checkpoint;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import org.apache.hadoop.fs.FSInputStream;

/** A file as Hadoop's streams want it: one can jump in it. */
final class LocalFile extends FSInputStream {
    private static final int BUFFER_BYTES = 1 << 16;

    private final FileChannel file;
    private final ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES).limit(0);

    LocalFile(Path path) throws IOException {
        file = FileChannel.open(path);
    }

    @Override
    public int read() throws IOException {
        return isFilled() ? buffer.get() & 0xFF : -1;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
        if (length == 0) {
            return 0;
        }
        if (!isFilled()) {
            return -1;
        }
        int count = Math.min(length, buffer.remaining());
        buffer.get(bytes, offset, count);
        return count;
    }

    private boolean isFilled() throws IOException {
        if (!buffer.hasRemaining()) {
            buffer.clear();
            file.read(buffer);
            buffer.flip();
        }
        return buffer.hasRemaining();
    }

    @Override
    public void seek(long position) throws IOException {
        if (position < 0 || position > file.size()) {
            throw new EOFException("No position in this file: " + position);
        }
        file.position(position);
        buffer.limit(0);
    }

    @Override
    public long getPos() throws IOException {
        return file.position() - buffer.remaining();
    }

    @Override
    public boolean seekToNewSource(long position) {
        return false;
    }

    @Override
    public int available() throws IOException {
        return (int) Math.min(Integer.MAX_VALUE, file.size() - getPos());
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
