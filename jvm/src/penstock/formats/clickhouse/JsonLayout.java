package penstock.formats.clickhouse;

import org.apache.spark.unsafe.types.UTF8String;
import penstock.formats.FieldException;
import penstock.formats.Utf8Buffer;

/** A value of JSON; a String takes any. */
final class JsonLayout implements Layout {
    private final boolean escapeSlashes;

    JsonLayout(Settings settings) {
        this.escapeSlashes = settings.escapeSlashes();
    }

    @Override
    public boolean isJson() {
        return true;
    }

    @Override
    public boolean refusesMinus() {
        return true;
    }

    @Override
    public boolean acceptNull(Input in) {
        if (in.peek() != 'n') {
            return false;
        }
        in.expect("null");
        return true;
    }

    @Override
    public UTF8String string(Input in) {
        return JsonTexts.string(in);
    }

    /** A string, or the text of a number, a bool, an array or an object. */
    static UTF8String anything(Input in) {
        int first = in.peek();
        if (first == '"') {
            return JsonTexts.string(in);
        }
        if (first < 0) {
            throw Input.afterEnd();
        }
        if (!Input.isDigit(first) && "-+[{tf".indexOf(first) < 0) {
            throw new FieldException("Cannot read JSON field here: '" + in.rest()
                    + "'. Unexpected symbol '" + (char) first + "'");
        }
        int start = in.at;
        JsonTexts.skip(in);
        return UTF8String.fromBytes(in.bytes, start, in.at - start);
    }

    @Override
    public char openNumber(Input in) {
        return in.accept('"') ? '"' : 0;
    }

    @Override
    public char openText(Input in) {
        in.expect('"');
        return '"';
    }

    @Override
    public boolean isNumber(Input in) {
        return in.peek() != '"';
    }

    @Override
    public Input token(Input in, char close) {
        return in.until('"', '"');
    }

    @Override
    public void writeNull(Utf8Buffer out) {
        out.add("null");
    }

    @Override
    public void write(UTF8String text, Utf8Buffer out) {
        out.add('"');
        int start = out.size();
        out.add(text);
        JsonTexts.escape(out, start, escapeSlashes);
        out.add('"');
    }

    @Override
    public void writeMark(Utf8Buffer out) {
        out.add('"');
    }
}
