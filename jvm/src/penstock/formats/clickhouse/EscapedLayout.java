package penstock.formats.clickhouse;

import java.nio.charset.StandardCharsets;
import org.apache.spark.unsafe.types.UTF8String;
import penstock.formats.Utf8Buffer;

/** A field of TabSeparated: up to the next tab or line, tabs and lines inside of it escaped. */
final class EscapedLayout implements Layout {
    private final byte[] nullText;
    private final boolean returns;

    EscapedLayout(Settings settings) {
        this.returns = settings.flag("input_format_tsv_crlf_end_of_line", false);
        this.nullText = settings.tsvNull().getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public boolean acceptNull(Input in) {
        int end = in.at + nullText.length;
        if (!in.startsWith(nullText) || !endsAt(in, end)) {
            return false;
        }
        in.at = end;
        return true;
    }

    private boolean endsAt(Input in, int place) {
        return place >= in.end || in.bytes[place] == '\t' || in.bytes[place] == '\n'
                || returns && in.bytes[place] == '\r'
                && (place + 1 >= in.end || in.bytes[place + 1] == '\n');
    }

    @Override
    public UTF8String string(Input in) {
        return Backslashes.read(in, this::endsAt);
    }

    @Override
    public Input token(Input in, char close) {
        return in.until('\t', '\n');
    }

    @Override
    public void writeNull(Utf8Buffer out) {
        out.add(nullText);
    }

    @Override
    public void write(UTF8String text, Utf8Buffer out) {
        int start = out.size();
        out.add(text);
        Backslashes.escape(out, start);
    }
}
