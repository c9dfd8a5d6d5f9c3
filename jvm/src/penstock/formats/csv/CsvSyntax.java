package penstock.formats.csv;

import org.apache.commons.text.StringEscapeUtils;
import penstock.formats.CodecOptions;

/**
 * The characters of a table's CSV.
 *
 * @param delimiter between fields
 * @param quote around fields, {@link #NONE} if there is none
 * @param escape before special characters, {@link #NONE} if there is none
 * @param arrayDelimiter between the elements of an array or a nested row
 * @param nullLiteral what stands for NULL, or null
 */
record CsvSyntax(char delimiter, int quote, int escape, String arrayDelimiter,
        String nullLiteral) {
    /** No character. */
    static final int NONE = -1;

    static CsvSyntax of(CodecOptions options) {
        boolean quoted = !options.flag("disable-quote-character");
        return new CsvSyntax(delimiter(options.text("field-delimiter", ",")),
                quoted ? options.text("quote-character", "\"").charAt(0) : NONE,
                first(options.text("escape-character", "")),
                options.text("array-element-delimiter", ";"),
                options.text("null-literal", null));
    }

    /** One character, or an escape for one as Java has them: {@code \t} is a tab. */
    private static char delimiter(String text) {
        return text.length() == 1 ? text.charAt(0) : StringEscapeUtils.unescapeJava(text).charAt(0);
    }

    private static int first(String text) {
        return text.isEmpty() ? NONE : text.charAt(0);
    }
}
