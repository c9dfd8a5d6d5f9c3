package penstock.formats.clickhouse;

import org.apache.spark.sql.types.StructType;
import penstock.formats.CodecOptions;
import penstock.formats.FieldException;

/** Reads CSV and CSVWithNames. */
public final class CsvDecoder extends SeparatedDecoder {
    private static final long serialVersionUID = 1L;
    private static final String PREFIX = "input_format_csv_";

    private final transient CsvLayout layout;
    private final transient char delimiter;
    private final transient boolean trim;
    private final transient boolean emptyAsDefault;
    private final transient boolean defaultOnBadValues;
    private final transient boolean loneReturns;

    /** A decoder for the columns of a table. */
    public CsvDecoder(StructType schema, CodecOptions options) {
        super(schema, options, PREFIX);
        this.layout = new CsvLayout(settings);
        this.delimiter = settings.delimiter();
        this.trim = settings.flag(PREFIX + "trim_whitespaces", true);
        this.emptyAsDefault = settings.flag(PREFIX + "empty_as_default", true);
        this.defaultOnBadValues = settings.flag(PREFIX + "use_default_on_bad_values", false);
        this.loneReturns = settings.flag(PREFIX + "allow_cr_end_of_line", false);
    }

    private Object readResolve() {
        return new CsvDecoder(schema, options);
    }

    @Override
    Layout layout() {
        return layout;
    }

    private void skipBlanks(Input in) {
        while (in.peek() == ' ' || in.peek() == '\t' && delimiter != '\t') {
            in.at++;
        }
    }

    @Override
    void expectDelimiter(Input in) {
        skipBlanks(in);
        in.expect(delimiter);
    }

    @Override
    boolean isEndOfLine(Input in) {
        skipBlanks(in);
        return in.atEnd() || in.peek() == '\n' || in.peek() == '\r';
    }

    /** One delimiter too many is no field. */
    @Override
    void expectEndOfLine(Input in, boolean first) {
        skipBlanks(in);
        in.accept(delimiter);
        skipBlanks(in);
        if (in.atEnd() || in.accept('\n')) {
            return;
        }
        if (!in.accept('\r')) {
            throw new FieldException("Expected end of line");
        }
        if (!in.atEnd() && !in.accept('\n') && !loneReturns) {
            throw new FieldException("Cannot parse CSV format: found \\r (CR) not followed by \\n"
                    + " (LF). Line must end by \\n (LF) or \\r\\n (CR LF) or \\n\\r.");
        }
    }

    @Override
    boolean hasEscapes() {
        return false;
    }

    @Override
    Object field(int place, Input in) {
        if (trim) {
            skipBlanks(in);
        }
        if (emptyAsDefault && layout.endsAt(in, in.at)) {
            return columns.values[place].absent();
        }
        int start = in.at;
        try {
            Object value = columns.read(place, in, layout);
            if (!defaultOnBadValues || layout.endsAt(in, in.at)) {
                return value;
            }
        } catch (FieldException e) {
            if (!defaultOnBadValues) {
                throw e;
            }
        }
        in.at = start;
        layout.string(in);
        return columns.values[place].absent();
    }

    @Override
    public String function() {
        return "penstock_ch_csv_decode";
    }
}
