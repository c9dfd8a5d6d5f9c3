package penstock.formats.avro;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.apache.avro.Resolver;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.Decoder;
import org.apache.avro.io.EncoderFactory;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import penstock.formats.FieldException;

/** Reads a record as a row: fields in the order they were written, those that lack by default. */
final class AvroRowReader implements AvroReader {
    private static final int SKIPPED = -1;

    private final StructField[] fields;
    private final String[] written;
    private final AvroReader[] readers;
    private final int[] targets;
    private final Object[] defaults;

    AvroRowReader(Resolver.RecordAdjust record, StructType type) {
        int count = record.fieldActions.length;
        this.fields = type.fields();
        this.written = new String[count];
        this.readers = new AvroReader[count];
        this.targets = new int[count];
        this.defaults = new Object[fields.length];
        int next = 0;
        for (int i = 0; i < count; i++) {
            Resolver.Action action = record.fieldActions[i];
            written[i] = record.writer.getFields().get(i).name();
            if (action instanceof Resolver.Skip) {
                targets[i] = SKIPPED;
                readers[i] = skipping(action.writer);
            } else {
                targets[i] = type.fieldIndex(record.readerOrder[next++].name());
                readers[i] = AvroReaders.reader(action, fields[targets[i]].dataType());
            }
        }
        for (int i = record.firstDefault; i < record.readerOrder.length; i++) {
            Schema.Field field = record.readerOrder[i];
            int target = type.fieldIndex(field.name());
            Object given = record.defaults[i - record.firstDefault];
            defaults[target] = asSpark(given, field.schema(), fields[target]);
        }
    }

    private static AvroReader skipping(Schema schema) {
        return in -> {
            GenericDatumReader.skip(schema, in);
            return null;
        };
    }

    /** A default as Spark's value: written by Avro, read by us. */
    private static Object asSpark(Object given, Schema schema, StructField field) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        BinaryEncoder out = EncoderFactory.get().directBinaryEncoder(bytes, null);
        try {
            new GenericDatumWriter<>(schema).write(given, out);
            AvroReader reader = AvroReaders.reader(Resolver.resolve(schema, schema), field.dataType());
            return reader.read(new AvroBytes(bytes.toByteArray(), 0));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public InternalRow read(Decoder in) throws IOException {
        Object[] values = defaults.clone();
        for (int i = 0; i < readers.length; i++) {
            int target = targets[i];
            try {
                Object value = readers[i].read(in);
                if (target != SKIPPED) {
                    values[target] = value;
                }
            } catch (FieldException e) {
                throw target == SKIPPED ? e.within(written[i])
                        : e.within(fields[target].name(), fields[target].dataType());
            }
        }
        return new GenericInternalRow(values);
    }
}
