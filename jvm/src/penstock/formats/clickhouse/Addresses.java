package penstock.formats.clickhouse;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import org.apache.spark.sql.catalyst.expressions.SpecializedGetters;
import org.apache.spark.unsafe.types.UTF8String;
import penstock.formats.FieldException;

/** Addresses as text in ClickHouse's form, as numbers and as bytes. */
public final class Addresses {
    /** How many bytes an IPv6 has. */
    public static final int V6_BYTES = 16;

    private static final int WORDS = 8;
    private static final int V4_BYTES = 4;
    private static final String V4_IN_V6 = "::ffff:";

    private Addresses() {}

    /** An IPv4 without leading zeros, null if the text is none. */
    static String v4(String text) {
        String[] parts = text.split("\\.", -1);
        if (parts.length != V4_BYTES) {
            return null;
        }
        StringBuilder address = new StringBuilder();
        for (String part : parts) {
            boolean digits = part.length() >= 1 && part.length() <= 3
                    && part.chars().allMatch(Input::isDigit);
            if (!digits || Integer.parseInt(part) > 255) {
                return null;
            }
            address.append(address.isEmpty() ? "" : ".").append(Integer.parseInt(part));
        }
        return address.toString();
    }

    /** An IPv6 in its shortest form, null if the text is none. */
    static String v6(String text) {
        if (text.indexOf(':') < 0 || text.startsWith(".")) {
            String address = v4(text);
            return address == null ? null : V4_IN_V6 + address;
        }
        try {
            return shortest(parsed(text));
        } catch (UnknownHostException e) {
            return null;
        }
    }

    /** A text with a colon that begins as an address is one; no name is looked up. */
    private static byte[] parsed(String text) throws UnknownHostException {
        return InetAddress.getByName(text).getAddress();
    }

    /** The IPv4 of a number. */
    static Object ofNumber(long bits) {
        byte[] bytes = {(byte) (bits >> 24), (byte) (bits >> 16), (byte) (bits >> 8), (byte) bits};
        return UTF8String.fromString(dotted(bytes, 0));
    }

    /** The number of an IPv4. */
    static long number(SpecializedGetters values, int position) {
        long number = 0;
        for (String part : values.getUTF8String(position).toString().split("\\.")) {
            number = number << 8 | Integer.parseInt(part);
        }
        return number;
    }

    /** The IPv6 of its bytes. */
    public static UTF8String ofBytes(byte[] bytes) {
        try {
            // Java takes one that stands for an IPv4 as that.
            return UTF8String.fromString(shortest(InetAddress.getByAddress(bytes).getAddress()));
        } catch (UnknownHostException e) {
            throw new FieldException("An IPv6 has 16 bytes, not " + bytes.length);
        }
    }

    /** The bytes of an IPv6. */
    public static byte[] bytes(UTF8String text) {
        try {
            byte[] found = parsed(text.toString());
            if (found.length == V6_BYTES) {
                return found;
            }
            byte[] wide = new byte[V6_BYTES];
            Arrays.fill(wide, V6_BYTES - V4_BYTES - 2, V6_BYTES - V4_BYTES, (byte) 0xFF);
            System.arraycopy(found, 0, wide, V6_BYTES - V4_BYTES, V4_BYTES);
            return wide;
        } catch (UnknownHostException e) {
            throw new FieldException("Cannot parse IPv6 " + text);
        }
    }

    private static String dotted(byte[] bytes, int at) {
        return (bytes[at] & 0xFF) + "." + (bytes[at + 1] & 0xFF) + "." + (bytes[at + 2] & 0xFF)
                + "." + (bytes[at + 3] & 0xFF);
    }

    /** The words in hexadecimal, the longest run of zeros left out. */
    private static String shortest(byte[] bytes) {
        if (bytes.length == V4_BYTES) {
            return V4_IN_V6 + dotted(bytes, 0);
        }
        int[] words = new int[WORDS];
        for (int i = 0; i < WORDS; i++) {
            words[i] = (bytes[2 * i] & 0xFF) << 8 | bytes[2 * i + 1] & 0xFF;
        }
        int best = -1;
        int bestLength = 1;
        for (int i = 0; i < WORDS; i++) {
            int length = 0;
            while (i + length < WORDS && words[i + length] == 0) {
                length++;
            }
            if (length > bestLength) {
                best = i;
                bestLength = length;
            }
            i += length;
        }
        if (best == 0 && bestLength == 6) {
            return "::" + dotted(bytes, 12);
        }
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < WORDS; i++) {
            if (i == best) {
                text.append("::");
                i += bestLength - 1;
            } else {
                boolean separate = i > 0 && text.charAt(text.length() - 1) != ':';
                text.append(separate ? ":" : "").append(Integer.toHexString(words[i]));
            }
        }
        return text.toString();
    }
}
