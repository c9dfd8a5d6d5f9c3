package penstock.formats.cdc;

import com.fasterxml.jackson.core.JsonParser;
import java.io.IOException;
import java.time.DateTimeException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import penstock.formats.CodecOptions;
import penstock.formats.FieldException;
import penstock.formats.json.JsonMessageDecoder;
import penstock.formats.json.JsonReader;
import penstock.formats.json.JsonReaders;
import penstock.formats.json.JsonRowReader;

/**
 * Reads what tools for change data capture tell in JSON: an operation and the rows it concerns. A
 * message is read into a row of its own, the envelope: two fields with rows, the operation, then what
 * the table asks for beside them. Nothing else of it is kept.
 */
abstract class CdcDecoder extends JsonMessageDecoder {
    private static final long serialVersionUID = 1L;
    private static final String HIDDEN = "hidden";

    /** Where the first field with rows stands in an envelope. */
    protected static final int FIRST = 0;

    /** Where the second one stands. */
    protected static final int SECOND = 1;

    private static final int OPERATION = 2;

    /** The columns of the table. */
    protected final transient StructType columns;

    /** The readers under the options of the table. */
    protected final transient JsonReaders readers;

    /** The table of the format. */
    protected final transient CdcFormat format;

    private final transient StructType envelope;
    private final transient JsonRowReader reader;
    private final transient CdcMetadata[] metadata;
    private final transient int[] slots;

    /**
     * A decoder for the columns of a table.
     *
     * @param schema the columns, the metadata asked for, the kind of the row
     * @param options of the format
     * @param format the table of the format
     * @param texts further fields of a message that the decoder must know
     */
    protected CdcDecoder(
            StructType schema, CodecOptions options, CdcFormat format, String... texts) {
        super(schema, options);
        this.format = format;
        this.columns = new StructType(Stream.of(schema.fields())
                .filter(field -> !field.metadata().contains(HIDDEN)).toArray(StructField[]::new));
        this.metadata = Stream.of(schema.fields())
                .filter(field -> field.metadata().contains(HIDDEN))
                .limit(schema.length() - columns.length() - 1L)
                .map(field -> field.metadata().getString(HIDDEN))
                .map(key -> Objects.requireNonNull(format.metadata().get(key), key))
                .toArray(CdcMetadata[]::new);
        this.readers = new JsonReaders(columns, options);
        this.envelope = envelope(texts);
        this.reader = new JsonRowReader(envelope, readers, fieldReaders());
        this.slots = Stream.of(metadata).mapToInt(part -> slot(part.field())).toArray();
    }

    private StructType envelope(String... texts) {
        StructType fields = new StructType()
                .add(format.first().name(), columns)
                .add(format.second().name(), columns)
                .add(format.operation(), DataTypes.StringType);
        Stream<CdcMetadata> more = Stream.of(texts).map(CdcMetadata::text);
        for (CdcMetadata part : Stream.concat(Stream.of(metadata), more).toList()) {
            if (!fields.getFieldIndex(part.field()).isDefined()) {
                fields = fields.add(part.field(), part.type());
            }
        }
        return fields;
    }

    private List<JsonReader> fieldReaders() {
        JsonRowReader row = new JsonRowReader(columns, readers, schema.length());
        List<JsonReader> found = new ArrayList<>();
        found.add(format.first().reader().apply(row, readers));
        found.add(format.second().reader().apply(row, readers));
        for (StructField field : List.of(envelope.fields()).subList(OPERATION, envelope.length())) {
            found.add(readers.reader(field.dataType()));
        }
        return found;
    }

    /** Adds the changes that a message tells. */
    protected abstract void add(Operation operation, GenericInternalRow message, Changes changes);

    /** The envelope that begins at the parser's token. */
    protected GenericInternalRow message(JsonParser parser) throws IOException {
        return reader.read(parser);
    }

    /** Whether a message is about the table. */
    protected boolean concerns(GenericInternalRow message) {
        return true;
    }

    @Override
    protected final ArrayData rows(JsonParser parser) throws IOException {
        GenericInternalRow message = message(parser);
        if (!concerns(message)) {
            return null;
        }
        Operation operation = operation(message);
        Changes changes = new Changes(columns.length(), metadata(message));
        add(operation, message, changes);
        return changes.rows();
    }

    private Operation operation(GenericInternalRow message) {
        Object word = message.values()[OPERATION];
        Operation operation = word == null ? null : format.operations().get(word.toString());
        if (operation == null) {
            throw new FieldException(Operation.unknown(format.operation(), word)
                    + (word == null ? adviceWithoutOperation() : ""));
        }
        return operation;
    }

    /** What to try where a message does not say what happened. */
    protected String adviceWithoutOperation() {
        return "";
    }

    private Object[] metadata(GenericInternalRow message) {
        Object[] values = new Object[metadata.length];
        for (int i = 0; i < values.length; i++) {
            Object value = message.values()[slots[i]];
            values[i] = value == null ? null : converted(metadata[i], value);
        }
        return values;
    }

    private Object converted(CdcMetadata part, Object value) {
        try {
            return part.convert().apply(value);
        } catch (IllegalArgumentException | ArithmeticException | DateTimeException e) {
            if (readers.ignoreParseErrors()) {
                return null;
            }
            throw FieldException.of(e).within(part.field());
        }
    }

    /** Whether the envelope has a field. */
    protected final boolean hasSlot(String field) {
        return envelope.getFieldIndex(field).isDefined();
    }

    /** Where a field stands in the envelope. */
    protected final int slot(String field) {
        return envelope.fieldIndex(field);
    }

    /** The rows that a message must have for its operation. */
    protected final Object required(GenericInternalRow message, int slot, Operation operation) {
        Object rows = message.values()[slot];
        if (rows == null) {
            throw new FieldException(missing(envelope.fieldNames()[slot], operation));
        }
        return rows;
    }

    /** What is wrong with a message without rows that it must have. */
    protected String missing(String field, Operation operation) {
        return operation.missing(field);
    }

    @Override
    protected final String problem(String reason) {
        return "Corrupt " + format.title() + " JSON message: " + reason;
    }

    @Override
    public final String function() {
        return format.function();
    }
}
