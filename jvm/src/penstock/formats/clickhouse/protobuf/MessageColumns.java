package penstock.formats.clickhouse.protobuf;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.catalyst.util.GenericArrayData;
import penstock.formats.CodecOptions;
import penstock.formats.FieldException;
import penstock.formats.clickhouse.ColumnType;
import penstock.formats.clickhouse.Value;
import penstock.formats.protobuf.MessageSpec;

/**
 * Which fields of a message are which columns. A column is a field, or one of a message inside of
 * it; those of a message that is repeated are arrays.
 */
final class MessageColumns {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private final Part[] parts;
    private final int width;

    /** What becomes of a field. */
    private interface Part {
        void read(Object found, Object[] row);

        Object write(InternalRow row);
    }

    private MessageColumns(Part[] parts, int width) {
        this.parts = parts;
        this.width = width;
    }

    /** As Python describes it: for each field the number of its column, or those of its fields. */
    static MessageColumns of(MessageSpec message, List<ColumnType> columns, CodecOptions options) {
        try {
            JsonNode places = MAPPER.readTree(options.text("columns", "[]"));
            return of(message, places, columns, options);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("The columns are no JSON", e);
        }
    }

    private static MessageColumns of(MessageSpec message, JsonNode places,
            List<ColumnType> columns, CodecOptions options) {
        Part[] parts = new Part[places.size()];
        for (int i = 0; i < parts.length; i++) {
            MessageSpec.Field field = message.fields().get(i);
            JsonNode place = places.get(i);
            if (place.isInt()) {
                ColumnType type = columns.get(place.intValue());
                parts[i] = new Column(place.intValue(), type.name(),
                        Fields.of(field, type, options));
            } else if (field.repeated()) {
                parts[i] = new Flattened(field.message(), place, columns, options);
            } else {
                parts[i] = new Nested(of(field.message(), place, columns, options));
            }
        }
        return new MessageColumns(parts, message.fields().size());
    }

    /** Puts what a message holds into a row, which has the defaults. */
    void read(GenericInternalRow message, Object[] row) {
        for (int i = 0; i < parts.length; i++) {
            if (!message.isNullAt(i)) {
                parts[i].read(message.genericGet(i), row);
            }
        }
    }

    /** The message of a row. */
    InternalRow write(InternalRow row) {
        Object[] fields = new Object[width];
        for (int i = 0; i < parts.length; i++) {
            fields[i] = parts[i].write(row);
        }
        return new GenericInternalRow(fields);
    }

    private record Column(int place, String name, FieldValue value) implements Part {
        @Override
        public void read(Object found, Object[] row) {
            try {
                row[place] = value.read(found);
            } catch (FieldException e) {
                throw e.within(name);
            }
        }

        @Override
        public Object write(InternalRow row) {
            try {
                return row.isNullAt(place) ? null : value.write(row, place);
            } catch (FieldException e) {
                throw e.within(name);
            }
        }
    }

    private record Nested(MessageColumns inner) implements Part {
        @Override
        public void read(Object found, Object[] row) {
            inner.read((GenericInternalRow) found, row);
        }

        @Override
        public Object write(InternalRow row) {
            return inner.write(row);
        }
    }

    /** A repeated message whose fields are columns, each with an element for each message. */
    private static final class Flattened implements Part {
        private final int width;
        private final int[] places;
        private final FieldValue[] elements;
        private final Object[] absent;

        Flattened(MessageSpec message, JsonNode places, List<ColumnType> columns,
                CodecOptions options) {
            this.width = message.fields().size();
            this.places = new int[places.size()];
            this.elements = new FieldValue[places.size()];
            this.absent = new Object[places.size()];
            for (int i = 0; i < elements.length; i++) {
                this.places[i] = places.get(i).intValue();
                ColumnType type = columns.get(this.places[i]).children().get(0);
                elements[i] = Fields.of(message.fields().get(i), type, options);
                absent[i] = Value.of(type, options).absent();
            }
        }

        @Override
        public void read(Object found, Object[] row) {
            ArrayData messages = (ArrayData) found;
            for (int field = 0; field < places.length; field++) {
                Object[] values = new Object[messages.numElements()];
                for (int i = 0; i < values.length; i++) {
                    GenericInternalRow message =
                            (GenericInternalRow) messages.getStruct(i, width);
                    values[i] = message.isNullAt(field) ? absent[field]
                            : elements[field].read(message.genericGet(field));
                }
                row[places[field]] = new GenericArrayData(values);
            }
        }

        @Override
        public Object write(InternalRow row) {
            Object[][] messages = new Object[row.getArray(places[0]).numElements()][width];
            for (int field = 0; field < places.length; field++) {
                ArrayData values = row.getArray(places[field]);
                if (values.numElements() != messages.length) {
                    throw new FieldException("Elements of Nested are not of equal sizes");
                }
                for (int i = 0; i < messages.length; i++) {
                    messages[i][field] =
                            values.isNullAt(i) ? null : elements[field].write(values, i);
                }
            }
            return new GenericArrayData(Arrays.stream(messages)
                    .map(GenericInternalRow::new).toArray());
        }
    }
}
