package penstock.formats.clickhouse.protobuf;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.expressions.SpecializedGetters;
import org.apache.spark.sql.catalyst.util.ArrayBasedMapData;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.catalyst.util.GenericArrayData;
import org.apache.spark.sql.catalyst.util.MapData;
import org.apache.spark.sql.types.DataType;
import penstock.formats.CodecOptions;
import penstock.formats.clickhouse.ColumnType;
import penstock.formats.clickhouse.Value;
import penstock.formats.protobuf.Kind;
import penstock.formats.protobuf.MessageSpec;

/** The values of fields of all kinds: arrays, maps and messages hold those of others. */
final class Fields {
    private Fields() {}

    static FieldValue of(MessageSpec.Field field, ColumnType type, CodecOptions options) {
        if (field.kind() == Kind.MAP) {
            return new OfMap(field, type, options);
        }
        if (field.repeated()) {
            return new OfList(field, type.children().get(0), options);
        }
        return single(field, type, options);
    }

    private static FieldValue single(
            MessageSpec.Field field, ColumnType type, CodecOptions options) {
        return field.message() == null ? Scalars.of(field, type, options)
                : new OfMessage(field.message(), type, options);
    }

    /** What a column holds where the message has nothing. */
    private static Object absent(ColumnType type, CodecOptions options) {
        return Value.of(type, options).absent();
    }

    private static final class OfList implements FieldValue {
        private final DataType elementType;
        private final FieldValue element;

        OfList(MessageSpec.Field field, ColumnType type, CodecOptions options) {
            this.elementType = WireTypes.ofElement(field);
            this.element = single(field, type, options);
        }

        @Override
        public Object read(Object found) {
            Object[] values = ((ArrayData) found).toObjectArray(elementType);
            for (int i = 0; i < values.length; i++) {
                values[i] = element.read(values[i]);
            }
            return new GenericArrayData(values);
        }

        /** There is no NULL in a repeated field. */
        @Override
        public Object write(SpecializedGetters values, int position) {
            ArrayData array = values.getArray(position);
            Object[] written = new Object[array.numElements()];
            int size = 0;
            for (int i = 0; i < written.length; i++) {
                if (!array.isNullAt(i)) {
                    written[size++] = element.write(array, i);
                }
            }
            return new GenericArrayData(Arrays.copyOf(written, size));
        }
    }

    private static final class OfMap implements FieldValue {
        private final DataType[] types = new DataType[2];
        private final FieldValue[] parts = new FieldValue[2];
        private final Object absent;

        OfMap(MessageSpec.Field field, ColumnType type, CodecOptions options) {
            for (int i = 0; i < parts.length; i++) {
                MessageSpec.Field part = field.message().fields().get(i);
                types[i] = WireTypes.of(part);
                parts[i] = of(part, type.children().get(i), options);
            }
            this.absent = absent(type.children().get(1), options);
        }

        @Override
        public Object read(Object found) {
            MapData map = (MapData) found;
            Map<Object, Object> entries = new LinkedHashMap<>();
            for (int i = 0; i < map.numElements(); i++) {
                Object value = map.valueArray().isNullAt(i) ? absent
                        : parts[1].read(map.valueArray().get(i, types[1]));
                entries.put(parts[0].read(map.keyArray().get(i, types[0])), value);
            }
            return new ArrayBasedMapData(new GenericArrayData(entries.keySet().toArray()),
                    new GenericArrayData(entries.values().toArray()));
        }

        @Override
        public Object write(SpecializedGetters values, int position) {
            MapData map = values.getMap(position);
            Object[] keys = new Object[map.numElements()];
            Object[] written = new Object[keys.length];
            for (int i = 0; i < keys.length; i++) {
                keys[i] = parts[0].write(map.keyArray(), i);
                written[i] = map.valueArray().isNullAt(i) ? null
                        : parts[1].write(map.valueArray(), i);
            }
            return new ArrayBasedMapData(
                    new GenericArrayData(keys), new GenericArrayData(written));
        }
    }

    /** A Tuple; the fields of the description are in its order, those behind it are not of it. */
    private static final class OfMessage implements FieldValue {
        private final int width;
        private final FieldValue[] fields;
        private final Object[] absent;

        OfMessage(MessageSpec message, ColumnType type, CodecOptions options) {
            this.width = message.fields().size();
            this.fields = new FieldValue[type.children().size()];
            this.absent = new Object[fields.length];
            for (int i = 0; i < fields.length; i++) {
                ColumnType child = type.children().get(i);
                fields[i] = of(message.fields().get(i), child, options);
                absent[i] = absent(child, options);
            }
        }

        @Override
        public Object read(Object found) {
            GenericInternalRow row = (GenericInternalRow) found;
            Object[] values = new Object[fields.length];
            for (int i = 0; i < values.length; i++) {
                values[i] = row.isNullAt(i) ? absent[i] : fields[i].read(row.genericGet(i));
            }
            return new GenericInternalRow(values);
        }

        @Override
        public Object write(SpecializedGetters values, int position) {
            InternalRow row = values.getStruct(position, fields.length);
            Object[] written = new Object[width];
            for (int i = 0; i < fields.length; i++) {
                written[i] = row.isNullAt(i) ? null : fields[i].write(row, i);
            }
            return new GenericInternalRow(written);
        }
    }
}
