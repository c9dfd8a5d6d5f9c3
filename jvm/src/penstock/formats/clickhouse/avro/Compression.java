package penstock.formats.clickhouse.avro;

import com.github.luben.zstd.ZstdInputStream;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.zip.CRC32;
import java.util.zip.Inflater;
import java.util.zip.InflaterInputStream;
import org.xerial.snappy.Snappy;

/** How the blocks of an object container file are compressed. */
enum Compression {
    NULL {
        @Override
        byte[] expanded(byte[] block) {
            return block;
        }
    },
    DEFLATE {
        @Override
        byte[] expanded(byte[] block) throws IOException {
            Inflater bare = new Inflater(true);
            try (InputStream in = new InflaterInputStream(new ByteArrayInputStream(block), bare)) {
                return in.readAllBytes();
            } finally {
                bare.end();
            }
        }
    },
    SNAPPY {
        @Override
        byte[] expanded(byte[] block) throws IOException {
            int length = block.length - Integer.BYTES;
            if (length < 0) {
                throw new IOException("a compressed block is cut off");
            }
            byte[] content = Snappy.uncompress(Arrays.copyOf(block, length));
            CRC32 sum = new CRC32();
            sum.update(content);
            if ((int) sum.getValue() != ByteBuffer.wrap(block).getInt(length)) {
                throw new IOException("Checksum did not match");
            }
            return content;
        }
    },
    ZSTANDARD {
        @Override
        byte[] expanded(byte[] block) throws IOException {
            try (InputStream in = new ZstdInputStream(new ByteArrayInputStream(block))) {
                return in.readAllBytes();
            }
        }
    };

    /** The bytes of a block before it was compressed. */
    abstract byte[] expanded(byte[] block) throws IOException;

    /** The one that a file names; none if it does not. */
    static Compression of(byte[] name) throws IOException {
        String found = name == null ? "null" : new String(name, StandardCharsets.UTF_8);
        for (Compression known : values()) {
            if (known.name().equalsIgnoreCase(found)) {
                return known;
            }
        }
        throw new IOException("Unknown codec in data file: " + found);
    }
}
