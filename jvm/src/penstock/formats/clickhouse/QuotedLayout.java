package penstock.formats.clickhouse;

import java.nio.charset.StandardCharsets;
import org.apache.spark.unsafe.types.UTF8String;
import penstock.formats.FieldException;
import penstock.formats.Utf8Buffer;

/** A value inside the text of an array, a map or a tuple: as in SQL. */
final class QuotedLayout implements Layout {
    static final QuotedLayout INSTANCE = new QuotedLayout();

    private static final byte[] NULL = "NULL".getBytes(StandardCharsets.US_ASCII);

    private static final Backslashes.End CLOSING = new Backslashes.End() {
        @Override
        public boolean isAt(Input in, int place) {
            return in.bytes[place] == '\'';
        }

        @Override
        public boolean isDoubled(Input in) {
            return in.peek() == '\'' && in.at + 1 < in.end && in.bytes[in.at + 1] == '\'';
        }
    };

    private QuotedLayout() {}

    @Override
    public boolean acceptNull(Input in) {
        if (!in.startsWith(NULL)) {
            return false;
        }
        in.at += NULL.length;
        return true;
    }

    @Override
    public UTF8String string(Input in) {
        if (!in.accept('\'')) {
            throw new FieldException("Cannot parse quoted string: expected opening quote '''"
                    + (in.atEnd() ? "" : ", got '" + (char) in.peek() + "'"));
        }
        UTF8String text = Backslashes.read(in, CLOSING);
        if (!in.accept('\'')) {
            throw new FieldException("Cannot parse quoted string: expected closing quote");
        }
        return text;
    }

    @Override
    public char openText(Input in) {
        in.expect('\'');
        return '\'';
    }

    @Override
    public boolean isNumber(Input in) {
        return in.peek() != '\'';
    }

    @Override
    public Input token(Input in, char close) {
        return in.until('\'', '\'');
    }

    @Override
    public void writeNull(Utf8Buffer out) {
        out.add(NULL);
    }

    @Override
    public void write(UTF8String text, Utf8Buffer out) {
        out.add('\'');
        int start = out.size();
        out.add(text);
        Backslashes.escape(out, start);
        out.add('\'');
    }

    @Override
    public void writeMark(Utf8Buffer out) {
        out.add('\'');
    }
}
