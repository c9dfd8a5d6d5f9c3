package penstock.formats.protobuf;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.types.StructType;
import penstock.formats.FieldException;

/**
 * Reads a message as a row. While it is read its values are in slots, one for each field of the
 * description: parts of one message may stand apart, and then the later ones are added.
 */
public final class MessageReader {
    private final MessageSpec.Field[] specs;
    private final FieldReader[] fields;
    private final int[][] excluded;
    private final Map<Integer, Integer> slots = new HashMap<>();
    private final int columns;

    /** A reader of a message as rows of a type. */
    public MessageReader(MessageSpec spec, StructType type) {
        this.specs = spec.fields().toArray(new MessageSpec.Field[0]);
        this.fields = new FieldReader[specs.length];
        this.excluded = new int[specs.length][];
        this.columns = type.length();
        for (int i = 0; i < specs.length; i++) {
            MessageSpec.Field field = specs[i];
            fields[i] = i < columns
                    ? FieldReader.of(field, type.fields()[i].dataType()) : FieldReader.mark(field);
            slots.put(field.number(), i);
            excluded[i] = excludedBy(field, spec.fields());
        }
    }

    private static int[] excludedBy(MessageSpec.Field field, List<MessageSpec.Field> all) {
        return all.stream().filter(field::excludes).mapToInt(all::indexOf).toArray();
    }

    /** The row of a message that ends where the input does. */
    public InternalRow read(WireInput in) {
        Object[] values = slots();
        merge(in, values, 1);
        return checked(values);
    }

    /** Room for the values of a message in which nothing is set. */
    Object[] slots() {
        return new Object[specs.length];
    }

    /** Adds the fields up to the end of the input. */
    void merge(WireInput in, Object[] values, int depth) {
        WireInput.checkDepth(depth);
        while (!in.atEnd()) {
            int tag = in.tag();
            if ((tag & 7) == Wire.END_GROUP) {
                WireInput.checkEnd(tag, 0);
            }
            field(tag, in, values, depth);
        }
    }

    /** Adds the fields up to the end of a group. */
    void mergeGroup(int number, WireInput in, Object[] values, int depth) {
        WireInput.checkDepth(depth);
        int tag = in.tag();
        while ((tag & 7) != Wire.END_GROUP) {
            field(tag, in, values, depth);
            tag = in.tag();
        }
        WireInput.checkEnd(tag, number);
    }

    /** A value that does not stand there as the field's kind does is none of it, as in Google's. */
    private void field(int tag, WireInput in, Object[] values, int depth) {
        Integer slot = slots.get(tag >>> 3);
        if (slot == null || !fields[slot].accepts(tag & 7)) {
            in.skip(tag, depth);
            return;
        }
        Object found;
        try {
            found = fields[slot].read(tag & 7, in, values[slot], depth);
        } catch (FieldException e) {
            throw e.within(specs[slot].name());
        }
        if (found != null) {
            values[slot] = found;
            for (int other : excluded[slot]) {
                values[other] = null;
            }
        }
    }

    /** The row, if all that is required is there. */
    InternalRow checked(Object[] values) {
        for (int i = 0; i < specs.length; i++) {
            if (specs[i].required() && values[i] == null) {
                throw new FieldException("Message missing required fields: " + specs[i].name());
            }
        }
        return row(values);
    }

    /** The row; of a message that is not there at all, nothing is required. */
    InternalRow row(Object[] values) {
        Object[] row = new Object[columns];
        for (int i = 0; i < columns; i++) {
            try {
                row[i] = values[i] == null ? fields[i].absent() : fields[i].finish(values[i]);
            } catch (FieldException e) {
                throw e.within(specs[i].name());
            }
        }
        return new GenericInternalRow(row);
    }
}
