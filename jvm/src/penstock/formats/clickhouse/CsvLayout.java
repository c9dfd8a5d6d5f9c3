package penstock.formats.clickhouse;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.apache.spark.unsafe.types.UTF8String;
import penstock.formats.Utf8Buffer;

/** A field of CSV: in quotes or up to the next delimiter. */
final class CsvLayout implements Layout {
    private final char delimiter;
    private final boolean doubleQuotes;
    private final boolean singleQuotes;
    private final boolean trim;
    private final boolean loneReturns;
    private final byte[] nullText;

    CsvLayout(Settings settings) {
        this.delimiter = settings.delimiter();
        this.doubleQuotes = settings.doubleQuotes();
        this.singleQuotes = settings.singleQuotes();
        this.trim = settings.flag("input_format_csv_trim_whitespaces", true);
        this.loneReturns = settings.flag("input_format_csv_allow_cr_end_of_line", false);
        this.nullText = settings.csvNull().getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public boolean wrapsContainers() {
        return true;
    }

    @Override
    public boolean refusesMinus() {
        return true;
    }

    @Override
    public boolean acceptNull(Input in) {
        if (!in.startsWith(nullText) || !endsAt(in, in.at + nullText.length)) {
            return false;
        }
        in.at += nullText.length;
        return true;
    }

    /** Whether a field that is not in quotes ends there. */
    boolean endsAt(Input in, int place) {
        if (place >= in.end) {
            return true;
        }
        byte next = in.bytes[place];
        return next == delimiter || next == '\n' || next == '\r';
    }

    @Override
    public UTF8String string(Input in) {
        int first = in.peek();
        if (first == '"' && doubleQuotes || first == '\'' && singleQuotes) {
            in.at++;
            return quoted(in, (char) first);
        }
        return plain(in);
    }

    /** Up to the next delimiter or line, blanks before it left out; a lone return is of the text. */
    private UTF8String plain(Input in) {
        int start = in.at;
        while (!endsAt(in, in.at) || in.at > start && isLoneReturn(in, in.at)) {
            in.at++;
        }
        int stop = in.at;
        while (trim && !in.atEnd() && stop > start && isBlank(in.bytes[stop - 1])) {
            stop--;
        }
        return UTF8String.fromBytes(in.bytes, start, stop - start);
    }

    private static boolean isBlank(byte b) {
        return b == ' ' || b == '\t';
    }

    private boolean isLoneReturn(Input in, int place) {
        return !loneReturns && place + 1 < in.end && in.bytes[place] == '\r'
                && in.bytes[place + 1] != '\n';
    }

    /** Up to the closing quote, or to the end; two quotes are one. */
    private static UTF8String quoted(Input in, char quote) {
        Utf8Buffer text = null;
        int start = in.at;
        int stop = in.until(quote, quote).end;
        while (stop + 1 < in.end && in.bytes[stop + 1] == quote) {
            text = text == null ? Utf8Buffer.start() : text;
            text.add(in.bytes, start, stop + 1 - start);
            start = stop + 2;
            in.at = start;
            stop = in.until(quote, quote).end;
        }
        in.at = Math.min(in.end, stop + 1);
        if (text == null) {
            return UTF8String.fromBytes(in.bytes, start, stop - start);
        }
        text.add(in.bytes, start, stop - start);
        return UTF8String.fromBytes(text.finish());
    }

    @Override
    public char openNumber(Input in) {
        int first = in.peek();
        if (first != '"' && first != '\'') {
            return 0;
        }
        in.at++;
        return (char) first;
    }

    @Override
    public Input token(Input in, char close) {
        if (close != 0) {
            return in.until(close, close);
        }
        int stop = in.at;
        while (!endsAt(in, stop)) {
            stop++;
        }
        return new Input(in.bytes, in.at, stop);
    }

    @Override
    public void writeNull(Utf8Buffer out) {
        out.add(nullText);
    }

    @Override
    public void write(UTF8String text, Utf8Buffer out) {
        out.add('"');
        int start = out.size();
        out.add(text);
        doubleQuotes(out, start);
        out.add('"');
    }

    /** Doubles the quotes in what was written since {@code start}. */
    static void doubleQuotes(Utf8Buffer out, int start) {
        byte[] bytes = out.reserve(0);
        int size = out.size();
        for (int i = start; i < size; i++) {
            if (bytes[i] == '"') {
                byte[] rest = Arrays.copyOfRange(bytes, i, size);
                out.endAt(i);
                for (byte b : rest) {
                    if (b == '"') {
                        out.add('"');
                    }
                    out.add((char) b);
                }
                return;
            }
        }
    }

    @Override
    public void writeMark(Utf8Buffer out) {
        out.add('"');
    }
}
