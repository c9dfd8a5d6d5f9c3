package penstock.formats.clickhouse.avro;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.io.Decoder;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.util.GenericArrayData;
import penstock.formats.CodecOptions;
import penstock.formats.FieldException;
import penstock.formats.avro.AvroReader;
import penstock.formats.clickhouse.ColumnType;
import penstock.formats.clickhouse.Value;

/**
 * Reads the records of one schema as rows. A column is found by its name, or by a path: {@code a.b}
 * is the field {@code b} of the record {@code a}, or of the branch {@code b} of a union.
 */
final class RowReader {
    private final List<ColumnType> columns;
    private final ColumnReaders readers;
    private final Object[] absent;
    private final boolean[] found;
    private final Step record;

    /** Goes over a part of a record. */
    private interface Step {
        void read(Decoder in, Object[] row) throws IOException;
    }

    /**
     * A reader for the columns of a table.
     *
     * @throws FieldException if the schema does not fit them
     */
    RowReader(Schema schema, List<ColumnType> columns, CodecOptions options) {
        this.columns = columns;
        this.readers = new ColumnReaders(options);
        this.absent = columns.stream().map(type -> Value.of(type, options).absent()).toArray();
        this.found = new boolean[absent.length];
        if (schema.getType() != Schema.Type.RECORD) {
            throw new FieldException("Root schema must be a record");
        }
        this.record = fields(schema, "");
        if (!options.flag("input_format_avro_allow_missing_fields")) {
            for (int i = 0; i < found.length; i++) {
                if (!found[i]) {
                    throw new FieldException(
                            "Field " + columns.get(i).name() + " not found in Avro schema");
                }
            }
        }
    }

    InternalRow read(Decoder in) throws IOException {
        Object[] row = absent.clone();
        record.read(in, row);
        return new GenericInternalRow(row);
    }

    private Step step(Schema schema, String path) {
        int place = place(path);
        if (place >= 0) {
            return column(schema, place);
        }
        boolean within = columns.stream().anyMatch(type -> type.name().startsWith(path + "."));
        if (within) {
            switch (schema.getType()) {
                case RECORD:
                    return fields(schema, path + ".");
                case UNION:
                    return branches(schema, path + ".");
                case ARRAY:
                    Step arrays = arrays(schema.getElementType(), path + ".");
                    if (arrays != null) {
                        return arrays;
                    }
                    break;
                default:
                    break;
            }
        }
        return (in, row) -> GenericDatumReader.skip(schema, in);
    }

    private int place(String path) {
        for (int i = 0; i < columns.size(); i++) {
            if (columns.get(i).name().equals(path)) {
                return i;
            }
        }
        return -1;
    }

    private Step column(Schema schema, int place) {
        String name = columns.get(place).name();
        found[place] = true;
        try {
            AvroReader reader = readers.of(schema, columns.get(place));
            return (in, row) -> {
                try {
                    row[place] = reader.read(in);
                } catch (FieldException e) {
                    throw e.within(name);
                }
            };
        } catch (FieldException e) {
            throw e.within(name);
        }
    }

    private Step fields(Schema schema, String prefix) {
        List<Step> steps = new ArrayList<>();
        for (Schema.Field field : schema.getFields()) {
            steps.add(step(field.schema(), prefix + field.name()));
        }
        return (in, row) -> {
            for (Step step : steps) {
                step.read(in, row);
            }
        };
    }

    private Step branches(Schema schema, String prefix) {
        List<Step> steps = new ArrayList<>();
        for (Schema branch : schema.getTypes()) {
            steps.add(step(branch, prefix + branch.getName()));
        }
        return (in, row) -> {
            int branch = in.readIndex();
            if (branch < 0 || branch >= steps.size()) {
                throw new FieldException("Union index out of boundary");
            }
            steps.get(branch).read(in, row);
        };
    }

    /** An array of records as one array for each of their fields; null if there are no such. */
    private Step arrays(Schema element, String prefix) {
        if (element.getType() != Schema.Type.RECORD) {
            return null;
        }
        List<Schema.Field> fields = element.getFields();
        int[] places = fields.stream().mapToInt(field -> place(prefix + field.name())).toArray();
        for (int place : places) {
            if (place < 0 || !columns.get(place).root().equals("ARRAY")) {
                return null;
            }
        }
        AvroReader[] elements = new AvroReader[places.length];
        for (int i = 0; i < places.length; i++) {
            found[places[i]] = true;
            ColumnType type = columns.get(places[i]).children().get(0);
            elements[i] = readers.of(fields.get(i).schema(), type);
        }
        return (in, row) -> {
            List<List<Object>> values = new ArrayList<>();
            for (int ignored : places) {
                values.add(new ArrayList<>());
            }
            for (long left = in.readArrayStart(); left > 0; left = in.arrayNext()) {
                for (long i = 0; i < left; i++) {
                    for (int field = 0; field < elements.length; field++) {
                        values.get(field).add(elements[field].read(in));
                    }
                }
            }
            for (int field = 0; field < places.length; field++) {
                row[places[field]] = new GenericArrayData(values.get(field).toArray());
            }
        };
    }
}
