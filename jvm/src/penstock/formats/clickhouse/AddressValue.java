package penstock.formats.clickhouse;

import java.nio.charset.StandardCharsets;
import org.apache.spark.unsafe.types.UTF8String;
import penstock.formats.FieldException;

/** IPv4 and IPv6, kept as text in ClickHouse's form. */
final class AddressValue extends MarkedText {
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
        String found = isV4 ? Addresses.v4(text) : Addresses.v6(text);
        if (found == null) {
            throw new FieldException("Cannot parse " + type + " " + in.rest());
        }
        in.at = end;
        close(in, mark);
        return UTF8String.fromString(found);
    }

    /** Whether an address may have this character. */
    static boolean isPart(byte b) {
        return Character.digit(b, 16) >= 0 || b == '.' || b == ':';
    }
}
