package penstock.formats.csv;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.catalyst.util.GenericArrayData;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import penstock.formats.BadMessageException;
import penstock.formats.CodecOptions;
import penstock.formats.Decoder;
import penstock.formats.FieldException;

/** Reads messages of Flink's {@code csv} format: the first line is a row. */
public final class CsvDecoder extends Decoder {
    private static final long serialVersionUID = 1L;
    private static final String BYTE_ORDER_MARK = "\uFEFF";
    private static final char REPLACEMENT = '\uFFFD';

    private final transient CsvSyntax syntax;
    private final transient CsvReader[] fields;
    private final transient boolean trimSpaces;
    private final transient boolean allowComments;
    private final transient boolean needAllColumns;
    private final transient boolean ignoreExtraColumns;
    private final transient boolean allowTrailingDelimiter;

    /** A decoder for the physical columns of a table. */
    public CsvDecoder(StructType schema, CodecOptions options) {
        super(schema, options);
        CsvTypes.expectSupported(schema);
        this.syntax = CsvSyntax.of(options);
        this.fields = new CsvReaders(syntax, options).readers(schema);
        this.trimSpaces = options.flag("trim-spaces");
        this.allowComments = options.flag("allow-comments");
        this.needAllColumns = options.flag("fail-on-missing-columns")
                || !options.flag("ignore-parse-errors");
        this.ignoreExtraColumns = options.flag("ignore-trailing-unmappable");
        this.allowTrailingDelimiter = options.flag("allow-trailing-comma", true);
    }

    private Object readResolve() {
        return new CsvDecoder(schema, options);
    }

    @Override
    public ArrayData decode(byte[] message) {
        try {
            CsvLine line = new CsvLine(text(message), syntax, trimSpaces);
            if (line.isEmpty()) {
                return null;
            }
            if (allowComments) {
                line.skipComments();
                if (line.isEmpty()) {
                    throw new FieldException("the message has no line but comments");
                }
            }
            return new GenericArrayData(new Object[] {row(line)});
        } catch (FieldException e) {
            throw BadMessageException.of(e.path(), e.getMessage(), message);
        }
    }

    private static String text(byte[] message) {
        String text = new String(message, StandardCharsets.UTF_8);
        if (text.indexOf(REPLACEMENT) >= 0) {
            try {
                StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(message));
            } catch (CharacterCodingException e) {
                throw new FieldException("the message is not UTF-8");
            }
        }
        return text.startsWith(BYTE_ORDER_MARK) ? text.substring(1) : text;
    }

    private GenericInternalRow row(CsvLine line) {
        Object[] values = new Object[fields.length];
        int count = 0;
        for (String text = line.next(); text != null; text = line.next()) {
            if (count == fields.length) {
                skipExtra(text, line);
                break;
            }
            values[count] = field(count, text);
            count++;
        }
        if (count < fields.length && needAllColumns) {
            throw lengthMismatch(fields.length, count);
        }
        return new GenericInternalRow(values);
    }

    private Object field(int position, String text) {
        try {
            return fields[position].read(text);
        } catch (FieldException e) {
            StructField column = schema.fields()[position];
            throw e.within(column.name(), column.dataType());
        }
    }

    /** One blank field too many is a trailing delimiter. */
    private void skipExtra(String text, CsvLine line) {
        if (ignoreExtraColumns) {
            return;
        }
        boolean trailing = allowTrailingDelimiter && text.trim().isEmpty();
        if (!trailing || line.next() != null) {
            throw new FieldException("Too many entries: expected at most " + fields.length);
        }
    }

    static FieldException lengthMismatch(int expected, int actual) {
        return new FieldException("Row length mismatch. " + expected + " fields expected but was "
                + actual + ".");
    }

    @Override
    public String function() {
        return "penstock_csv_decode";
    }
}
