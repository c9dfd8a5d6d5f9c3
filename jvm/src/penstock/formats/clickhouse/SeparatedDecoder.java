package penstock.formats.clickhouse;

import java.util.stream.IntStream;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.unsafe.types.UTF8String;
import penstock.formats.CodecOptions;
import penstock.formats.FieldException;

/** What CSV and TabSeparated share: lines of fields, the names of columns in the first or not. */
abstract class SeparatedDecoder extends RowsDecoder {
    private static final long serialVersionUID = 1L;

    private final transient boolean names;
    private final transient boolean useHeader;
    private final transient boolean variable;
    private final transient int skippedLines;

    /** The {@code prefix} begins the names of the format's settings. */
    SeparatedDecoder(StructType schema, CodecOptions options, String prefix) {
        super(schema, options);
        this.names = settings.names();
        this.useHeader = settings.useHeader();
        this.variable = settings.flag(prefix + "allow_variable_number_of_columns", false);
        this.skippedLines = settings.number(prefix + "skip_first_lines");
    }

    /** How the fields stand in a line. */
    abstract Layout layout();

    /** Goes over what stands between two fields. */
    abstract void expectDelimiter(Input in);

    /** Goes over the end of a line, of which {@code first} is the first. */
    abstract void expectEndOfLine(Input in, boolean first);

    /** Whether the line ends here, but for blanks. */
    abstract boolean isEndOfLine(Input in);

    /** Whether a backslash takes a line's end its meaning. */
    abstract boolean hasEscapes();

    /** Reads the field of a column. */
    abstract Object field(int place, Input in);

    @Override
    final void read(Input in, MessageRows rows) {
        skipByteOrderMark(in);
        for (int i = 0; i < skippedLines; i++) {
            in.at = Math.min(in.end, in.until('\n', '\n').end + 1);
        }
        int[] places = names ? header(in) : all();
        while (!in.atEnd()) {
            try {
                rows.add(row(in, places, rows.isEmpty()));
            } catch (FieldException e) {
                rows.broken(e);
                in.skipLine(hasEscapes());
            }
        }
    }

    private int[] all() {
        return IntStream.range(0, columns.size()).toArray();
    }

    private int[] header(Input in) {
        IntStream.Builder places = IntStream.builder();
        boolean[] found = new boolean[columns.size()];
        for (int position = 0; ; position++) {
            int place = named(layout().string(in).trim(), position, found);
            places.add(place);
            if (isEndOfLine(in)) {
                break;
            }
            expectDelimiter(in);
        }
        expectEndOfLine(in, true);
        return useHeader ? places.build().toArray() : all();
    }

    /** The place of a column that the header names. */
    private int named(UTF8String name, int position, boolean[] found) {
        int place = columns.place(name);
        if (!useHeader) {
            return place;
        }
        if (place == Columns.NONE) {
            if (!settings.skipUnknown()) {
                throw new FieldException("Unknown field found in format header: '" + name
                        + "' at position " + position);
            }
            return place;
        }
        if (found[place]) {
            throw new FieldException("Duplicate field found while parsing format header: " + name);
        }
        found[place] = true;
        return place;
    }

    private InternalRow row(Input in, int[] places, boolean first) {
        Object[] values = new Object[columns.size()];
        boolean[] found = new boolean[values.length];
        for (int i = 0; i < places.length; i++) {
            if (i > 0) {
                if (variable && isEndOfLine(in)) {
                    break;
                }
                expectDelimiter(in);
            }
            int place = places[i];
            if (place == Columns.NONE) {
                layout().string(in);
            } else {
                values[place] = field(place, in);
                found[place] = true;
            }
        }
        while (variable && !isEndOfLine(in)) {
            expectDelimiter(in);
            layout().string(in);
        }
        expectEndOfLine(in, first);
        return columns.row(values, found);
    }
}
