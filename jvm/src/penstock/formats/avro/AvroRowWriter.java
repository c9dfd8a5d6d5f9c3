package penstock.formats.avro;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.Encoder;
import org.apache.avro.io.EncoderFactory;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.SpecializedGetters;
import org.apache.spark.sql.types.StructType;
import penstock.formats.FieldException;

/** Writes a row as a record: fields by name, in the order of the schema. */
final class AvroRowWriter implements AvroWriter {
    private final String[] names;
    private final int[] positions;
    private final AvroWriter[] writers;
    private final int columns;

    /** Every column has a field; a field without a column has a default. */
    AvroRowWriter(Schema record, StructType type) {
        List<Schema.Field> fields = record.getFields();
        this.columns = type.length();
        this.names = new String[fields.size()];
        this.positions = new int[fields.size()];
        this.writers = new AvroWriter[fields.size()];
        for (int i = 0; i < names.length; i++) {
            Schema.Field field = fields.get(i);
            names[i] = field.name();
            if (type.getFieldIndex(names[i]).isDefined()) {
                positions[i] = type.fieldIndex(names[i]);
                writers[i] = AvroWriters.writer(field.schema(), type.apply(names[i]).dataType());
            } else {
                writers[i] = byDefault(field);
            }
        }
        for (String column : type.fieldNames()) {
            if (record.getField(column) == null) {
                throw new IllegalArgumentException(
                        "The Avro schema has no field for the column '" + column + "'");
            }
        }
    }

    private static AvroWriter byDefault(Schema.Field field) {
        if (!field.hasDefaultValue()) {
            throw new IllegalArgumentException("The field '" + field.name() + "' of the Avro schema"
                    + " has no default, and the table has no such column");
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        BinaryEncoder out = EncoderFactory.get().directBinaryEncoder(bytes, null);
        try {
            Object value = GenericData.get().getDefaultValue(field);
            new GenericDatumWriter<>(field.schema()).write(value, out);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        byte[] written = bytes.toByteArray();
        return (values, position, to) -> to.writeFixed(written);
    }

    @Override
    public void write(SpecializedGetters values, int position, Encoder out) throws IOException {
        write(values.getStruct(position, columns), out);
    }

    void write(InternalRow row, Encoder out) throws IOException {
        for (int i = 0; i < writers.length; i++) {
            try {
                writers[i].write(row, positions[i], out);
            } catch (FieldException e) {
                throw e.within(names[i]);
            }
        }
    }
}
