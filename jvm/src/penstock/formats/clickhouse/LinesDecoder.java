package penstock.formats.clickhouse;

import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.unsafe.types.UTF8String;
import penstock.formats.CodecOptions;

/** Reads LineAsString, where each line is a row, and RawBLOB, where the message is. */
public final class LinesDecoder extends RowsDecoder {
    private static final long serialVersionUID = 1L;

    private final transient boolean lines;

    /** A decoder for a table of one String. */
    public LinesDecoder(StructType schema, CodecOptions options) {
        super(schema, options);
        this.lines = options.flag("lines");
    }

    private Object readResolve() {
        return new LinesDecoder(schema, options);
    }

    @Override
    void read(Input in, MessageRows rows) {
        while (!in.atEnd()) {
            int end = lines ? in.until('\n', '\n').end : in.end;
            UTF8String text = UTF8String.fromBytes(in.bytes, in.at, end - in.at);
            rows.add(new GenericInternalRow(new Object[] {text}));
            in.at = end + 1;
        }
    }

    @Override
    public String function() {
        return "penstock_ch_text_decode";
    }
}
