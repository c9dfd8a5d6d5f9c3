package penstock.formats.clickhouse;

import java.nio.charset.StandardCharsets;
import org.apache.spark.unsafe.types.UTF8String;
import penstock.formats.Utf8Buffer;

/** A value that has a text for itself alone, such as one string of JSONStringsEachRow. */
final class WholeLayout implements Layout {
    static final WholeLayout INSTANCE = new WholeLayout();

    private static final byte[] NULL = "NULL".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] SMALL_NULL = "ᴺᵁᴸᴸ".getBytes(StandardCharsets.UTF_8);

    private WholeLayout() {}

    @Override
    public boolean acceptNull(Input in) {
        boolean found = is(in, NULL) || is(in, SMALL_NULL);
        in.at = found ? in.end : in.at;
        return found;
    }

    private static boolean is(Input in, byte[] text) {
        return in.end - in.at == text.length && in.startsWith(text);
    }

    @Override
    public UTF8String string(Input in) {
        int start = in.at;
        in.at = in.end;
        return UTF8String.fromBytes(in.bytes, start, in.end - start);
    }

    @Override
    public Input token(Input in, char close) {
        return new Input(in.bytes, in.at, in.end);
    }

    @Override
    public void writeNull(Utf8Buffer out) {
        out.add(SMALL_NULL);
    }

    @Override
    public void write(UTF8String text, Utf8Buffer out) {
        out.add(text);
    }
}
