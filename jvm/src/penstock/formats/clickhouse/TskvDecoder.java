package penstock.formats.clickhouse;

import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.unsafe.types.UTF8String;
import penstock.formats.CodecOptions;
import penstock.formats.FieldException;

/** Reads TSKV: a line is a row, its fields are names and values. */
public final class TskvDecoder extends RowsDecoder {
    private static final long serialVersionUID = 1L;
    // What may stand in a line without a value, and means nothing.
    private static final UTF8String MARK = UTF8String.fromString("tskv");

    private final transient EscapedLayout layout;

    /** A decoder for the columns of a table. */
    public TskvDecoder(StructType schema, CodecOptions options) {
        super(schema, options);
        this.layout = new EscapedLayout(settings);
    }

    private Object readResolve() {
        return new TskvDecoder(schema, options);
    }

    @Override
    void read(Input in, MessageRows rows) {
        while (!in.atEnd()) {
            try {
                rows.add(row(in));
            } catch (FieldException e) {
                rows.broken(e);
                in.skipLine(true);
            }
        }
    }

    private InternalRow row(Input in) {
        Object[] values = new Object[columns.size()];
        boolean[] found = new boolean[values.length];
        if (in.accept('\n')) {
            return columns.row(values, found);
        }
        UTF8String name;
        do {
            name = field(in, values, found);
        } while (in.accept('\t'));
        if (!in.accept('\n')) {
            throw new FieldException((in.atEnd() ? "Unexpected end of stream" : "Found garbage")
                    + " after field in TSKV format: " + name);
        }
        return columns.row(values, found);
    }

    /** Reads a field; its name. */
    private UTF8String field(Input in, Object[] values, boolean[] found) {
        UTF8String name = Backslashes.read(in, TskvDecoder::endsName);
        if (!in.accept('=')) {
            if (in.atEnd()) {
                throw new FieldException(
                        "Unexpected end of stream while reading key name from TSKV format");
            }
            if (!name.equals(MARK)) {
                throw new FieldException(
                        "Found field without value while parsing TSKV format: " + name);
            }
            return name;
        }
        int place = columns.place(name);
        if (place == Columns.NONE) {
            if (!settings.skipUnknown()) {
                throw new FieldException("Unknown field found while parsing TSKV format: " + name);
            }
            layout.string(in);
            return name;
        }
        if (found[place]) {
            throw new FieldException("Duplicate field found while parsing TSKV format: " + name);
        }
        values[place] = columns.read(place, in, layout);
        found[place] = true;
        return name;
    }

    private static boolean endsName(Input in, int place) {
        byte next = in.bytes[place];
        return next == '=' || next == '\t' || next == '\n';
    }

    @Override
    public String function() {
        return "penstock_ch_tskv_decode";
    }
}
