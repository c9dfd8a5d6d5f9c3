package penstock.formats.protobuf;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.StructType;
import penstock.formats.FieldException;
import penstock.formats.Utf8Buffer;

/** Writes a row as a message, fields by their numbers. */
public final class MessageWriter {
    private record Column(int position, MessageSpec.Field spec, FieldWriter writer, int[] later) {
        /** Of the fields of a {@code oneof} the last column that has a value counts. */
        boolean counts(InternalRow row) {
            return !row.isNullAt(position) && IntStream.of(later).allMatch(row::isNullAt);
        }
    }

    private final List<Column> columns = new ArrayList<>();
    private final int width;
    private final String missing;

    /** A writer of rows of a type; {@code nullText} stands for NULL inside of arrays and maps. */
    public MessageWriter(MessageSpec spec, StructType type, String nullText) {
        this.width = type.length();
        List<MessageSpec.Field> fields = spec.fields();
        for (int i = 0; i < width; i++) {
            MessageSpec.Field field = fields.get(i);
            int[] later = IntStream.range(i + 1, width)
                    .filter(other -> field.excludes(fields.get(other))).toArray();
            FieldWriter writer = FieldWriter.of(field, type.fields()[i].dataType(), nullText);
            columns.add(new Column(i, field, writer, later));
        }
        columns.sort(Comparator.comparingInt(column -> column.spec().number()));
        this.missing = fields.stream().skip(width).filter(MessageSpec.Field::required)
                .map(MessageSpec.Field::name).findFirst().orElse(null);
    }

    int width() {
        return width;
    }

    /** Appends the message of a row. */
    public void write(InternalRow row, Utf8Buffer out) {
        if (missing != null) {
            throw required(missing);
        }
        for (Column column : columns) {
            if (column.counts(row)) {
                try {
                    column.writer().write(row, column.position(), out);
                } catch (FieldException e) {
                    throw e.within(column.spec().name());
                }
            } else if (column.spec().required()) {
                throw required(column.spec().name());
            }
        }
    }

    private static FieldException required(String field) {
        return new FieldException("Message missing required fields: " + field);
    }
}
