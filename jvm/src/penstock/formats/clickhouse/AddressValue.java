package penstock.formats.clickhouse;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import org.apache.spark.unsafe.types.UTF8String;
import penstock.formats.FieldException;

/** IPv4 and IPv6, kept as text in ClickHouse's form. */
final class AddressValue extends MarkedText {
    private static final int WORDS = 8;

    private final boolean isV4;
    private final String type;

    AddressValue(ColumnType type, Settings settings) {
        super(type, settings);
        this.isV4 = type.root().equals("IPV4");
        this.type = isV4 ? "IPv4" : "IPv6";
    }

    @Override
    Object zero() {
        return UTF8String.fromString(isV4 ? "0.0.0.0" : "::");
    }

    @Override
    Object parse(Input in, Layout layout) {
        char mark = layout.openText(in);
        int end = in.at;
        while (end < in.end && isPart(in.bytes[end])) {
            end++;
        }
        String text = new String(in.bytes, in.at, end - in.at, StandardCharsets.US_ASCII);
        String found = isV4 ? v4(text) : v6(text);
        if (found == null) {
            throw new FieldException("Cannot parse " + type + " " + in.rest());
        }
        in.at = end;
        close(in, mark);
        return UTF8String.fromString(found);
    }

    private static boolean isPart(byte b) {
        return Character.digit(b, 16) >= 0 || b == '.' || b == ':';
    }

    private static String v4(String text) {
        String[] parts = text.split("\\.", -1);
        if (parts.length != 4) {
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

    private static String v6(String text) {
        if (text.indexOf(':') < 0 || text.startsWith(".")) {
            String address = v4(text);
            return address == null ? null : "::ffff:" + address;
        }
        try {
            // A text with a colon that begins as an address is one; no name is looked up.
            byte[] bytes = InetAddress.getByName(text).getAddress();
            return bytes.length == 4 ? "::ffff:" + dotted(bytes, 0) : shortest(bytes);
        } catch (UnknownHostException e) {
            return null;
        }
    }

    private static String dotted(byte[] bytes, int at) {
        return (bytes[at] & 0xFF) + "." + (bytes[at + 1] & 0xFF) + "." + (bytes[at + 2] & 0xFF)
                + "." + (bytes[at + 3] & 0xFF);
    }

    /** The words in hexadecimal, the longest run of zeros left out. */
    private static String shortest(byte[] bytes) {
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
