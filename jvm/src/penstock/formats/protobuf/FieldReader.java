package penstock.formats.protobuf;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.catalyst.util.ArrayBasedMapData;
import org.apache.spark.sql.catalyst.util.GenericArrayData;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.MapType;
import org.apache.spark.sql.types.StructType;

/** Reads the values of one field into its slot, and the slot into a value of a row. */
abstract class FieldReader {
    private final Kind kind;

    private FieldReader(Kind kind) {
        this.kind = kind;
    }

    static FieldReader of(MessageSpec.Field field, DataType type) {
        if (field.kind() == Kind.MAP) {
            return new OfMap(field, (MapType) type);
        }
        if (field.repeated()) {
            return new OfList(field, of(field, ((ArrayType) type).elementType(), null));
        }
        return of(field, type, field.fallback());
    }

    private static FieldReader of(MessageSpec.Field field, DataType type, String fallback) {
        return field.message() != null
                ? new OfMessage(field, (StructType) type, fallback != null)
                : new OfScalar(field, type, fallback);
    }

    /** For a field without a column: only whether it is there. */
    static FieldReader mark(MessageSpec.Field field) {
        return new FieldReader(field.kind()) {
            @Override
            Object read(int wireType, WireInput in, Object slot, int depth) {
                in.skip(Wire.tag(field.number(), wireType), depth);
                return Boolean.TRUE;
            }

            @Override
            Object finish(Object slot) {
                return null;
            }

            @Override
            Object absent() {
                return null;
            }
        };
    }

    /** Whether a value of this wire type is one of the field. */
    boolean accepts(int wireType) {
        return wireType == kind.wireType();
    }

    /** What the slot holds with the next value; null if that is none, and the slot stays. */
    abstract Object read(int wireType, WireInput in, Object slot, int depth);

    /** The value of what the slot holds. */
    abstract Object finish(Object slot);

    /** The value where the message has none. */
    abstract Object absent();

    private static final class OfScalar extends FieldReader {
        private final Scalar scalar;
        private final Object absent;

        OfScalar(MessageSpec.Field field, DataType type, String fallback) {
            super(field.kind());
            this.scalar = Scalar.of(field, type);
            this.absent = fallback == null ? null : Fallbacks.value(field, type, fallback);
        }

        @Override
        Object read(int wireType, WireInput in, Object slot, int depth) {
            return scalar.read(in);
        }

        @Override
        Object finish(Object slot) {
            return scalar.finish(slot);
        }

        @Override
        Object absent() {
            return absent;
        }
    }

    private static final class OfMessage extends FieldReader {
        private final int number;
        private final boolean group;
        private final MessageReader message;
        private final Object absent;

        OfMessage(MessageSpec.Field field, StructType type, boolean filled) {
            super(field.kind());
            this.number = field.number();
            this.group = field.kind() == Kind.GROUP;
            this.message = new MessageReader(field.message(), type);
            this.absent = filled ? message.row(message.slots()) : null;
        }

        @Override
        Object read(int wireType, WireInput in, Object slot, int depth) {
            Object[] values = slot == null ? message.slots() : (Object[]) slot;
            if (group) {
                message.mergeGroup(number, in, values, depth + 1);
            } else {
                int outer = in.enter();
                message.merge(in, values, depth + 1);
                in.leave(outer);
            }
            return values;
        }

        @Override
        Object finish(Object slot) {
            return message.checked((Object[]) slot);
        }

        @Override
        Object absent() {
            return absent;
        }
    }

    private static final class OfList extends FieldReader {
        private final boolean packable;
        private final FieldReader element;
        private final Object absent;

        OfList(MessageSpec.Field field, FieldReader element) {
            super(field.kind());
            this.packable = field.kind().packable();
            this.element = element;
            this.absent = field.fallback() == null ? null : new GenericArrayData(new Object[0]);
        }

        @Override
        boolean accepts(int wireType) {
            return super.accepts(wireType) || packable && wireType == Wire.DELIMITED;
        }

        @Override
        Object read(int wireType, WireInput in, Object slot, int depth) {
            @SuppressWarnings("unchecked")
            List<Object> values = slot == null ? new ArrayList<>() : (List<Object>) slot;
            if (packable && wireType == Wire.DELIMITED) {
                int outer = in.enter();
                while (!in.atEnd()) {
                    add(element.read(wireType, in, null, depth), values);
                }
                in.leave(outer);
            } else {
                add(element.read(wireType, in, null, depth), values);
            }
            return values.isEmpty() ? null : values;
        }

        private static void add(Object value, List<Object> values) {
            if (value != null) {
                values.add(value);
            }
        }

        @Override
        Object finish(Object slot) {
            return new GenericArrayData(((List<?>) slot).stream().map(element::finish).toArray());
        }

        @Override
        Object absent() {
            return absent;
        }
    }

    private static final class OfMap extends FieldReader {
        private final FieldReader[] entry;
        private final MessageSpec.Field[] specs;
        private final Object absent;

        OfMap(MessageSpec.Field field, MapType type) {
            super(field.kind());
            this.specs = field.message().fields().toArray(new MessageSpec.Field[0]);
            this.entry = new FieldReader[] {of(specs[0], type.keyType()),
                    of(specs[1], type.valueType())};
            Object[] none = {};
            this.absent = field.fallback() == null ? null
                    : new ArrayBasedMapData(new GenericArrayData(none), new GenericArrayData(none));
        }

        @Override
        Object read(int wireType, WireInput in, Object slot, int depth) {
            @SuppressWarnings("unchecked")
            Map<Object, Object> values =
                    slot == null ? new LinkedHashMap<>() : (Map<Object, Object>) slot;
            int outer = in.enter();
            Object[] pair = new Object[2];
            boolean whole = true;
            while (!in.atEnd()) {
                int tag = in.tag();
                int part = (tag >>> 3) - 1;
                if (part > 1 || !entry[part].accepts(tag & 7)) {
                    in.skip(tag, depth + 1);
                    continue;
                }
                Object found = entry[part].read(tag & 7, in, pair[part], depth + 1);
                // A number that a closed enumeration does not have leaves out the whole entry.
                whole &= found != null;
                pair[part] = found;
            }
            in.leave(outer);
            if (whole) {
                values.put(value(0, pair), value(1, pair));
            }
            return values.isEmpty() ? null : values;
        }

        private Object value(int part, Object[] pair) {
            return pair[part] == null ? entry[part].absent() : entry[part].finish(pair[part]);
        }

        @Override
        Object finish(Object slot) {
            Map<?, ?> values = (Map<?, ?>) slot;
            return new ArrayBasedMapData(new GenericArrayData(values.keySet().toArray()),
                    new GenericArrayData(values.values().toArray()));
        }

        @Override
        Object absent() {
            return absent;
        }
    }
}
