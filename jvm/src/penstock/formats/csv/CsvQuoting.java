package penstock.formats.csv;

/**
 * Puts quotes around texts as Jackson does when it does not check strictly: around long ones, and
 * around those with a character that is not above both the delimiter and the quote.
 */
final class CsvQuoting {
    private static final int MAX_UNQUOTED_LENGTH = 24;
    private static final char DEFAULT_ESCAPE = '\\';

    private final int quote;
    private final int escape;
    private final int minSafe;

    CsvQuoting(CsvSyntax syntax) {
        this.quote = syntax.quote();
        this.escape = syntax.escape();
        this.minSafe = Math.max(syntax.delimiter(), quote) + 1;
    }

    void append(String text, StringBuilder out) {
        if (!needsQuotes(text)) {
            out.append(text);
            return;
        }
        out.append((char) quote);
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == quote || c == escape) {
                out.append(c);
            }
            out.append(c);
        }
        out.append((char) quote);
    }

    private boolean needsQuotes(String text) {
        if (quote == CsvSyntax.NONE) {
            return false;
        }
        // Without an escape character Jackson still looks for the one it would use by default.
        int special = escape == CsvSyntax.NONE ? DEFAULT_ESCAPE : escape;
        return text.length() > MAX_UNQUOTED_LENGTH
                || text.chars().anyMatch(c -> c < minSafe || c == special);
    }
}
