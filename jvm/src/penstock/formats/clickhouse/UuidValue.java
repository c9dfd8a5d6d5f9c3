package penstock.formats.clickhouse;

import java.nio.charset.StandardCharsets;
import java.util.Set;
import org.apache.spark.unsafe.types.UTF8String;
import penstock.formats.FieldException;

/** UUID, with or without hyphens; kept as text in lower case. */
final class UuidValue extends MarkedText {
    private static final UTF8String ZERO =
            UTF8String.fromString("00000000-0000-0000-0000-000000000000");
    private static final int LENGTH = 36;
    private static final Set<Integer> HYPHENS = Set.of(8, 13, 18, 23);

    UuidValue(ColumnType type, Settings settings) {
        super(type, settings);
    }

    @Override
    Object zero() {
        return ZERO;
    }

    @Override
    Object parse(Input in, Layout layout) {
        char mark = layout.openText(in);
        int start = in.at;
        byte[] text = new byte[LENGTH];
        boolean hyphens = in.end - in.at > 8 && in.bytes[in.at + 8] == '-';
        for (int i = 0; i < LENGTH; i++) {
            if (HYPHENS.contains(i)) {
                text[i] = '-';
                if (hyphens && !in.accept('-')) {
                    throw bad(in, start);
                }
                continue;
            }
            if (Character.digit(in.peek(), 16) < 0) {
                throw bad(in, start);
            }
            text[i] = (byte) Character.toLowerCase(in.bytes[in.at++]);
        }
        close(in, mark);
        return UTF8String.fromBytes(text);
    }

    private static FieldException bad(Input in, int start) {
        int length = Math.min(LENGTH, in.end - start);
        return new FieldException("Cannot parse uuid "
                + new String(in.bytes, start, length, StandardCharsets.UTF_8));
    }
}
