package penstock.formats.csv;

import penstock.formats.FieldException;

/**
 * The fields of the first line of a text, one by one, split as Jackson splits them: a quote counts at
 * the start of a field only, a quoted field may hold line ends, and blanks after it are skipped.
 */
final class CsvLine {
    private static final char COMMENT = '#';

    private final char[] text;
    private final CsvSyntax syntax;
    private final boolean trimSpaces;
    private final StringBuilder field = new StringBuilder();
    private int position;
    private boolean ended;

    CsvLine(String text, CsvSyntax syntax, boolean trimSpaces) {
        this.text = text.toCharArray();
        this.syntax = syntax;
        this.trimSpaces = trimSpaces;
    }

    /** Skips what comes before the first line if comments may: blank lines and comments. */
    void skipComments() {
        while (position < text.length) {
            char c = text[position];
            if (c == COMMENT) {
                while (position < text.length && !isLineEnd(text[position])) {
                    position++;
                }
            } else if (c != ' ' && !isLineEnd(c)) {
                return;
            } else {
                position++;
            }
        }
    }

    /** Whether no text is left in the line. */
    boolean isEmpty() {
        return position >= text.length || isLineEnd(text[position]);
    }

    /** The next field, null after the last. */
    String next() {
        if (ended) {
            return null;
        }
        if (trimSpaces) {
            skipBlanks();
        }
        field.setLength(0);
        if (position < text.length && text[position] == syntax.quote()) {
            position++;
            readQuoted();
            skipBlanks();
            expectFieldEnd();
            return field.toString();
        }
        readUnquoted();
        return trimSpaces ? field.toString().trim() : field.toString();
    }

    private void skipBlanks() {
        while (position < text.length && text[position] <= ' ' && !isFieldEnd(text[position])) {
            position++;
        }
    }

    private void readUnquoted() {
        while (position < text.length) {
            char c = text[position++];
            if (isFieldEnd(c)) {
                ended = c != syntax.delimiter();
                return;
            }
            field.append(c == syntax.escape() ? unescaped() : c);
        }
        ended = true;
    }

    private void readQuoted() {
        while (position < text.length) {
            char c = text[position++];
            if (c == syntax.escape() && c != syntax.quote()) {
                field.append(unescaped());
            } else if (c != syntax.quote()) {
                field.append(c);
            } else if (position < text.length && text[position] == syntax.quote()) {
                field.append(c);
                position++;
            } else {
                return;
            }
        }
        throw new FieldException("Missing closing quote for value");
    }

    private void expectFieldEnd() {
        if (position >= text.length) {
            ended = true;
            return;
        }
        char c = text[position++];
        if (!isFieldEnd(c)) {
            throw new FieldException("Unexpected character ('" + c + "'): Expected column separator"
                    + " character ('" + syntax.delimiter() + "') or end-of-line");
        }
        ended = c != syntax.delimiter();
    }

    private char unescaped() {
        if (position >= text.length) {
            throw new FieldException("Unexpected EOF in escaped character");
        }
        char c = text[position++];
        return switch (c) {
            case '0' -> '\0';
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            default -> c;
        };
    }

    private boolean isFieldEnd(char c) {
        return c == syntax.delimiter() || isLineEnd(c);
    }

    private static boolean isLineEnd(char c) {
        return c == '\n' || c == '\r';
    }
}
