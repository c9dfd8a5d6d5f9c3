package penstock.formats.cdc;

import java.util.List;
import java.util.Objects;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.types.StructType;
import penstock.formats.CodecOptions;
import penstock.formats.FieldException;
import penstock.operators.RowKind;

/**
 * Reads messages that hold a row before and after its change. Where the row before may be missing,
 * the table is one of upserts: rows replace each other by their primary key.
 */
abstract class BeforeAfterDecoder extends CdcDecoder {
    private static final long serialVersionUID = 1L;
    private static final int BEFORE = FIRST;
    private static final int AFTER = SECOND;

    private final transient boolean upserts;
    private final transient int[] key;

    /** A decoder for the columns of a table. */
    protected BeforeAfterDecoder(StructType schema, CodecOptions options, CdcFormat format) {
        super(schema, options, format);
        this.upserts = options.text("missing-before", "fail").equals("upsert");
        List<String> names = List.of(columns.fieldNames());
        this.key = options.names("key").stream().mapToInt(names::indexOf).toArray();
    }

    @Override
    protected void add(Operation operation, GenericInternalRow message, Changes changes) {
        if (!upserts) {
            changes.add(operation,
                    operation.hasBefore() ? row(message, BEFORE, operation) : null,
                    operation.hasAfter() ? row(message, AFTER, operation) : null);
        } else if (operation == Operation.DELETE) {
            changes.add(RowKind.DELETE, deleted(message));
        } else {
            InternalRow after = row(message, AFTER, operation);
            if (leavesAnother(message)) {
                changes.add(RowKind.DELETE, message.getStruct(BEFORE, columns.length()));
            }
            changes.add(RowKind.UPDATE_AFTER, after);
        }
    }

    private GenericInternalRow row(GenericInternalRow message, int slot, Operation operation) {
        return (GenericInternalRow) required(message, slot, operation);
    }

    /** What is known of a row that is gone, at least its key; the key may be Kafka's. */
    private InternalRow deleted(GenericInternalRow message) {
        GenericInternalRow before = (GenericInternalRow) message.values()[BEFORE];
        if (before == null && key.length == 0) {
            return new GenericInternalRow(schema.length());
        }
        before = row(message, BEFORE, Operation.DELETE);
        for (int column : key) {
            if (before.isNullAt(column)) {
                throw new FieldException("The \"before\" field of DELETE message has no value of "
                        + "the primary key").within(columns.fieldNames()[column])
                        .within(format.first().name());
            }
        }
        return before;
    }

    /** Whether an update gives its row another key, so that the old one is gone. */
    private boolean leavesAnother(GenericInternalRow message) {
        GenericInternalRow before = (GenericInternalRow) message.values()[BEFORE];
        GenericInternalRow after = (GenericInternalRow) message.values()[AFTER];
        if (before == null) {
            return false;
        }
        boolean same = true;
        for (int column : key) {
            if (before.isNullAt(column)) {
                return false;
            }
            same &= Objects.deepEquals(before.values()[column], after.values()[column]);
        }
        return !same;
    }

    @Override
    protected final String missing(String field, Operation operation) {
        if (!field.equals(format.first().name())) {
            return super.missing(field, operation);
        }
        String advice = upserts ? "" : ". Or declare a PRIMARY KEY and set "
                + format.option("missing-before") + " = 'upsert'";
        return operation.missingBefore(field, format.title()) + advice;
    }
}
