package penstock.formats.csv;

import java.nio.charset.StandardCharsets;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import penstock.formats.CodecOptions;
import penstock.formats.Encoder;

/** Writes rows of one type as Flink's {@code csv} format does: one line without a line end. */
public final class CsvEncoder extends Encoder {
    private static final long serialVersionUID = 1L;

    private final transient CsvSyntax syntax;
    private final transient CsvQuoting quoting;
    private final transient CsvWriter[] writers;
    private final transient boolean[] raw;
    private final transient String nullText;

    /** An encoder for rows of a type. */
    public CsvEncoder(StructType schema, CodecOptions options) {
        super(schema, options);
        CsvTypes.expectSupported(schema);
        this.syntax = CsvSyntax.of(options);
        this.quoting = new CsvQuoting(syntax);
        CsvWriters types = new CsvWriters(syntax, options);
        this.writers = types.writers(schema);
        this.nullText = types.nullText();
        this.raw = new boolean[writers.length];
        StructField[] fields = schema.fields();
        for (int i = 0; i < raw.length; i++) {
            raw[i] = CsvWriters.isRaw(fields[i].dataType());
        }
    }

    private Object readResolve() {
        return new CsvEncoder(schema, options);
    }

    @Override
    protected byte[] write(InternalRow row) {
        StringBuilder out = new StringBuilder();
        for (int i = 0; i < writers.length; i++) {
            if (i > 0) {
                out.append(syntax.delimiter());
            }
            if (row.isNullAt(i)) {
                out.append(nullText);
            } else if (raw[i]) {
                out.append(writers[i].text(row, i));
            } else {
                quoting.append(writers[i].text(row, i), out);
            }
        }
        return out.toString().getBytes(StandardCharsets.UTF_8);
    }
}
