package penstock.formats.clickhouse;

import org.apache.spark.sql.types.StructType;
import penstock.formats.CodecOptions;
import penstock.formats.FieldException;

/** Reads TabSeparated and TabSeparatedWithNames. */
public final class TsvDecoder extends SeparatedDecoder {
    private static final long serialVersionUID = 1L;
    private static final String PREFIX = "input_format_tsv_";

    private final transient EscapedLayout layout;
    private final transient boolean emptyAsDefault;
    private final transient boolean returns;

    /** A decoder for the columns of a table. */
    public TsvDecoder(StructType schema, CodecOptions options) {
        super(schema, options, PREFIX);
        this.layout = new EscapedLayout(settings);
        this.emptyAsDefault = settings.flag(PREFIX + "empty_as_default", false);
        this.returns = settings.flag(PREFIX + "crlf_end_of_line", false);
    }

    private Object readResolve() {
        return new TsvDecoder(schema, options);
    }

    @Override
    Layout layout() {
        return layout;
    }

    @Override
    void expectDelimiter(Input in) {
        in.expect('\t');
    }

    @Override
    boolean isEndOfLine(Input in) {
        return in.atEnd() || in.peek() == '\n' || returns && in.peek() == '\r';
    }

    @Override
    void expectEndOfLine(Input in, boolean first) {
        if (first && !returns && !in.atEnd() && in.at > 0 && in.bytes[in.at - 1] == '\r') {
            throw new FieldException("You have carriage return (\\r, 0x0D, ASCII 13) at end of"
                    + " first row. It's like your input data has DOS/Windows style line"
                    + " separators, that are illegal in TabSeparated format.");
        }
        if (returns) {
            in.accept('\r');
        }
        if (!in.atEnd()) {
            in.expect('\n');
        }
    }

    @Override
    boolean hasEscapes() {
        return true;
    }

    @Override
    Object field(int place, Input in) {
        if (emptyAsDefault && (isEndOfLine(in) || in.peek() == '\t')) {
            return columns.values[place].absent();
        }
        return columns.read(place, in, layout);
    }

    @Override
    public String function() {
        return "penstock_ch_tsv_decode";
    }
}
