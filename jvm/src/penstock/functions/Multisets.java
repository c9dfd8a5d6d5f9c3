package penstock.functions;

import java.io.Serializable;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.spark.sql.catalyst.util.ArrayBasedMapData;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.catalyst.util.GenericArrayData;
import org.apache.spark.sql.catalyst.util.MapData;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;

/** Multisets: maps from elements to how often they occur. */
public final class Multisets implements Serializable {
    private static final long serialVersionUID = 1L;

    private final DataType element;

    public Multisets(DataType element) {
        this.element = element;
    }

    /** The elements of an array, each with its number. */
    public MapData count(ArrayData array) {
        Map<Object, Integer> counts = new LinkedHashMap<>();
        for (int i = 0; i < array.numElements(); i++) {
            if (!array.isNullAt(i)) {
                counts.merge(key(array.get(i, element)), 1, Integer::sum);
            }
        }
        Object[] keys = counts.keySet().stream().map(this::value).toArray();
        return new ArrayBasedMapData(
                new GenericArrayData(keys), new GenericArrayData(counts.values().toArray()));
    }

    /** Arrays of bytes are compared by what they hold. */
    private Object key(Object value) {
        return value instanceof byte[] bytes ? ByteBuffer.wrap(bytes) : value;
    }

    private Object value(Object key) {
        return element.equals(DataTypes.BinaryType) ? ((ByteBuffer) key).array() : key;
    }
}
