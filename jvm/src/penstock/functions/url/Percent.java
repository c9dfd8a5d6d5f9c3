package penstock.functions.url;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import org.apache.spark.unsafe.types.UTF8String;

/** Bytes of a URL as `%41`, and back; no argument is null. */
public final class Percent {
    private static final byte[] HEX = "0123456789ABCDEF".getBytes(StandardCharsets.US_ASCII);
    private static final String PLAIN = "-_.~";

    private Percent() {}

    /** decodeURLComponent: what is no pair of digits stays. */
    public static UTF8String decode(UTF8String text) {
        return decoded(text.getBytes(), false);
    }

    /** decodeURLFormComponent: a plus is a blank. */
    public static UTF8String decodeForm(UTF8String text) {
        return decoded(text.getBytes(), true);
    }

    private static UTF8String decoded(byte[] bytes, boolean form) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(bytes.length);
        for (int i = 0; i < bytes.length; i++) {
            int high = i + 2 < bytes.length ? Character.digit(bytes[i + 1], 16) : -1;
            int low = high < 0 ? -1 : Character.digit(bytes[i + 2], 16);
            if (bytes[i] == '%' && low >= 0) {
                out.write(high << 4 | low);
                i += 2;
            } else {
                out.write(form && bytes[i] == '+' ? ' ' : bytes[i]);
            }
        }
        return UTF8String.fromBytes(out.toByteArray());
    }

    /** encodeURLComponent. */
    public static UTF8String encode(UTF8String text) {
        return encoded(text.getBytes(), false);
    }

    /** encodeURLFormComponent: a blank is a plus. */
    public static UTF8String encodeForm(UTF8String text) {
        return encoded(text.getBytes(), true);
    }

    private static UTF8String encoded(byte[] bytes, boolean form) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(bytes.length);
        for (byte b : bytes) {
            if (isPlain(b)) {
                out.write(b);
            } else if (form && b == ' ') {
                out.write('+');
            } else {
                out.write('%');
                out.write(HEX[b >> 4 & 15]);
                out.write(HEX[b & 15]);
            }
        }
        return UTF8String.fromBytes(out.toByteArray());
    }

    private static boolean isPlain(byte b) {
        return b >= '0' && b <= '9' || b >= 'A' && b <= 'Z' || b >= 'a' && b <= 'z'
                || PLAIN.indexOf(b) >= 0;
    }
}
