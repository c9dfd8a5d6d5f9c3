package penstock.formats.clickhouse;

import java.util.Arrays;
import java.util.regex.Pattern;
import org.apache.spark.unsafe.types.UTF8String;

/** ClickHouse's functions of addresses that are kept as texts; null is what cannot be read. */
public final class AddressFunctions {
    private static final int V4_BITS = 32;
    private static final int V4_START = 96;

    // An IPv4 with zeros before its numbers.
    private static final Pattern PADDED =
            Pattern.compile("^(?:[\\d.]*\\.)?0\\d+\\.|^[\\d.]*\\.0\\d+$");

    private AddressFunctions() {}

    /** The IPv6 in its shortest form. */
    public static UTF8String v6(UTF8String text) {
        String address = text.toString();
        if (!isWritten(text) || PADDED.matcher(address).find()) {
            return null;
        }
        String found = Addresses.v6(address);
        return found == null ? null : UTF8String.fromString(found);
    }

    /** Whether it has an address's characters alone: Java looks up other texts as names. */
    private static boolean isWritten(UTF8String text) {
        for (byte b : text.getBytes()) {
            if (!AddressValue.isPart(b)) {
                return false;
            }
        }
        return true;
    }

    /** IPv6StringToNum: the bytes of an address. */
    public static UTF8String v6Bytes(UTF8String text) {
        UTF8String known = v6(text);
        return known == null ? null : UTF8String.fromBytes(Addresses.bytes(known));
    }

    /** IPv6NumToString. */
    public static UTF8String v6Text(UTF8String bytes) {
        return Addresses.ofBytes(bytes.getBytes());
    }

    /** isIPAddressInRange: null if the address or the prefix cannot be read. */
    public static Boolean isIn(UTF8String address, UTF8String prefix) {
        String[] parts = prefix.toString().split("/", -1);
        UTF8String own = v6(address);
        UTF8String start = v6(UTF8String.fromString(parts[0]));
        if (parts.length != 2 || !parts[1].matches("[0-9]{1,3}") || own == null || start == null) {
            return null;
        }
        boolean isV4 = parts[0].indexOf(':') < 0;
        int length = Integer.parseInt(parts[1]);
        if (length > (isV4 ? V4_BITS : V4_BITS + V4_START)) {
            return null;
        }
        boolean otherKind = isV4 != address.toString().indexOf(':') < 0;
        return !otherKind && sameBits(Addresses.bytes(own), Addresses.bytes(start),
                isV4 ? length + V4_START : length);
    }

    private static boolean sameBits(byte[] one, byte[] other, int count) {
        int whole = count / Byte.SIZE;
        int rest = count % Byte.SIZE;
        return Arrays.equals(one, 0, whole, other, 0, whole)
                && (rest == 0 || (one[whole] ^ other[whole]) >> (Byte.SIZE - rest) == 0);
    }
}
