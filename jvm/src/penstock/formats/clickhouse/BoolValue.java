package penstock.formats.clickhouse;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.apache.spark.sql.catalyst.expressions.SpecializedGetters;
import penstock.formats.FieldException;
import penstock.formats.Utf8Buffer;

/** Bool: {@code true} and {@code false} in JSON, many words elsewhere. */
final class BoolValue extends Value {
    private static final Set<String> TRUE =
            Set.of("true", "t", "y", "yes", "on", "enable", "enabled", "1");
    private static final Set<String> FALSE =
            Set.of("false", "f", "n", "no", "off", "disable", "disabled", "0");

    private static final List<String> PLAIN = List.of("true", "false", "1", "0");

    private final String trueText;
    private final String falseText;

    BoolValue(ColumnType type, Settings settings) {
        super(type, settings);
        this.trueText = settings.trueText();
        this.falseText = settings.falseText();
    }

    @Override
    Object zero() {
        return Boolean.FALSE;
    }

    @Override
    Object parse(Input in, Layout layout) {
        if (layout.isJson()) {
            return json(in);
        }
        if (layout == QuotedLayout.INSTANCE) {
            return quoted(in);
        }
        return word(in, layout.token(in, (char) 0));
    }

    private static Object json(Input in) {
        if (in.atEnd()) {
            throw Input.afterEnd();
        }
        if (IntegerValue.isBool(in)) {
            return IntegerValue.bool(in) == 1;
        }
        int first = in.peek();
        if (first != '1' && first != '0') {
            throw new FieldException("Invalid boolean value, should be true/false, 1/0, but it"
                    + " starts with the '" + (char) first + "' character");
        }
        in.at++;
        return first == '1';
    }

    /** Any word in quotes; without them only those of JSON, in any letter case. */
    private Object quoted(Input in) {
        boolean marked = in.accept('\'');
        if (!marked) {
            for (String word : PLAIN) {
                if (in.startsWithAnyCase(word)) {
                    in.at += word.length();
                    return TRUE.contains(word);
                }
            }
            throw new FieldException("Cannot parse boolean value here: '" + in.rest() + "'");
        }
        int end = in.at;
        while (end < in.end && (Input.isLetter(in.bytes[end]) || Input.isDigit(in.bytes[end]))) {
            end++;
        }
        Object found = word(in, new Input(in.bytes, in.at, end));
        close(in, '\'');
        return found;
    }

    private Object word(Input in, Input token) {
        String text = token.rest();
        String word = text.toLowerCase(Locale.ROOT);
        boolean isTrue = text.equals(trueText) || TRUE.contains(word);
        if (!isTrue && !text.equals(falseText) && !FALSE.contains(word)) {
            throw new FieldException("Cannot parse boolean value here: '" + text + "', should be '"
                    + trueText + "' or '" + falseText + "' controlled by setting"
                    + " bool_true_representation and bool_false_representation or one of"
                    + " True/False/T/F/Y/N/Yes/No/On/Off/Enable/Disable/Enabled/Disabled/1/0");
        }
        in.at = token.end;
        return isTrue;
    }

    @Override
    void print(SpecializedGetters values, int position, Layout layout, Utf8Buffer out) {
        boolean value = values.getBoolean(position);
        if (layout.isJson() || layout == QuotedLayout.INSTANCE) {
            out.add(String.valueOf(value));
        } else {
            out.add(value ? trueText : falseText);
        }
    }
}
