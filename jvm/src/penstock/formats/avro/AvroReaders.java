package penstock.formats.avro;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.avro.Resolver;
import org.apache.avro.Schema;
import org.apache.avro.io.Decoder;
import org.apache.spark.sql.catalyst.util.ArrayBasedMapData;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.catalyst.util.GenericArrayData;
import org.apache.spark.sql.catalyst.util.MapData;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.MapType;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.unsafe.types.UTF8String;
import penstock.formats.FieldException;

/**
 * Readers for what one schema wrote and a table reads with another: Avro resolves the two once, and
 * what it finds becomes a tree of readers whose values are Spark's own.
 */
final class AvroReaders {
    private AvroReaders() {}

    /** A reader of rows. */
    static AvroReader rows(Schema writer, Schema reader, StructType type) {
        return reader(Resolver.resolve(writer, reader), type);
    }

    static AvroReader reader(Resolver.Action action, DataType type) {
        if (action instanceof Resolver.WriterUnion union) {
            return branches(union, type);
        }
        if (action instanceof Resolver.ReaderUnion union) {
            return reader(union.actualAction, type);
        }
        if (action instanceof Resolver.RecordAdjust record) {
            return new AvroRowReader(record, (StructType) type);
        }
        if (action instanceof Resolver.Container container) {
            return type instanceof MapType map
                    ? map(reader(container.elementAction, map.valueType()))
                    : array(reader(container.elementAction, ((ArrayType) type).elementType()));
        }
        if (action instanceof Resolver.EnumAdjust names) {
            return names(names);
        }
        if (action instanceof Resolver.ErrorAction
                && !AvroScalars.isReadable(action.writer, type)) {
            // A branch of a union may not fit and never come.
            return in -> {
                throw new FieldException(action.toString());
            };
        }
        return AvroScalars.reader(action.writer, action.reader, type);
    }

    private static AvroReader branches(Resolver.WriterUnion union, DataType type) {
        AvroReader[] readers = new AvroReader[union.actions.length];
        for (int i = 0; i < readers.length; i++) {
            readers[i] = reader(union.actions[i], type);
        }
        return in -> {
            int branch = in.readIndex();
            if (branch < 0 || branch >= readers.length) {
                throw new FieldException("there is no branch " + branch + " in its union");
            }
            return readers[branch].read(in);
        };
    }

    private static AvroReader names(Resolver.EnumAdjust names) {
        List<String> known = names.reader.getEnumSymbols();
        UTF8String[] values = new UTF8String[names.adjustments.length];
        for (int i = 0; i < values.length; i++) {
            int found = names.adjustments[i];
            values[i] = found < 0 ? null : UTF8String.fromString(known.get(found));
        }
        return in -> {
            int written = in.readEnum();
            if (written < 0 || written >= values.length || values[written] == null) {
                throw new FieldException("no symbol of its enumeration: " + written);
            }
            return values[written];
        };
    }

    private static AvroReader array(AvroReader element) {
        return new AvroReader() {
            @Override
            public ArrayData read(Decoder in) throws IOException {
                List<Object> values = new ArrayList<>();
                for (long left = in.readArrayStart(); left > 0; left = in.arrayNext()) {
                    for (long i = 0; i < left; i++) {
                        values.add(element.read(in));
                    }
                }
                return new GenericArrayData(values.toArray());
            }
        };
    }

    /** The last of two equal keys counts. */
    private static AvroReader map(AvroReader value) {
        return new AvroReader() {
            @Override
            public MapData read(Decoder in) throws IOException {
                Map<UTF8String, Object> entries = new LinkedHashMap<>();
                for (long left = in.readMapStart(); left > 0; left = in.mapNext()) {
                    for (long i = 0; i < left; i++) {
                        UTF8String key = AvroScalars.text(in);
                        entries.put(key, value.read(in));
                    }
                }
                return new ArrayBasedMapData(
                        new GenericArrayData(entries.keySet().toArray()),
                        new GenericArrayData(entries.values().toArray()));
            }
        };
    }
}
