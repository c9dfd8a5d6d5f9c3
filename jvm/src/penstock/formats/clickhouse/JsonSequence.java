package penstock.formats.clickhouse;

import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.StructType;
import penstock.formats.CodecOptions;
import penstock.formats.FieldException;

/**
 * Values of JSON one after another, commas between them or not, or all in one array. Behind a broken
 * one, as in ClickHouse, the next line is read; an array then has no end that could be found.
 */
abstract class JsonSequence extends RowsDecoder {
    private static final long serialVersionUID = 1L;

    JsonSequence(StructType schema, CodecOptions options) {
        super(schema, options);
    }

    /** Reads the row that begins here. */
    abstract InternalRow row(Input in);

    /** Whether the rows may stand in an array. */
    boolean mayBeArray() {
        return true;
    }

    @Override
    final void read(Input in, MessageRows rows) {
        skipByteOrderMark(in);
        in.skipBlanks();
        boolean array = mayBeArray() && in.accept('[');
        while (true) {
            in.skipBlanks();
            if (!rows.isEmpty() && in.accept(',')) {
                in.skipBlanks();
            }
            if (in.atEnd() || in.peek() == ';' || array && in.peek() == ']') {
                break;
            }
            try {
                rows.add(row(in));
            } catch (FieldException e) {
                if (array) {
                    throw e;
                }
                rows.broken(e);
                in.skipLine(true);
            }
        }
        if (array) {
            in.expect(']');
            in.skipBlanks();
        }
        in.accept(';');
        in.skipBlanks();
        if (!in.atEnd()) {
            throw in.expected("eof");
        }
    }
}
