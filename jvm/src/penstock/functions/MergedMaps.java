package penstock.functions;

import java.io.Serializable;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BinaryOperator;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.catalyst.util.GenericArrayData;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.StructType;

/**
 * sumMap, minMap and maxMap over all rows of a group: each row has an array of keys, and arrays of
 * amounts as long; the result has them once each, in the order of the keys.
 */
public final class MergedMaps implements Serializable {
    private static final long serialVersionUID = 1L;
    private static final BigInteger UNSIGNED = BigInteger.ONE.shiftLeft(64);
    private static final DecimalType UINT64 = new DecimalType(20, 0);

    private final String how;
    private final StructType row;

    /** `sum`, `compact` for a sum without what is 0, `min` or `max`; the type of a row. */
    public MergedMaps(String how, StructType row) {
        this.how = how;
        this.row = row;
    }

    /** The rows as one. */
    public InternalRow merged(ArrayData rows) {
        Map<Object, Object[]> found = new TreeMap<>(MergedMaps::compare);
        for (int i = 0; i < rows.numElements(); i++) {
            add(rows.getStruct(i, row.length()), found);
        }
        if (how.equals("compact")) {
            found.values().removeIf(MergedMaps::isZero);
        }
        Object[] arrays = new Object[row.length()];
        arrays[0] = new GenericArrayData(found.keySet().toArray());
        for (int i = 1; i < arrays.length; i++) {
            List<Object> column = new ArrayList<>(found.size());
            for (Object[] amounts : found.values()) {
                column.add(amounts[i - 1]);
            }
            arrays[i] = new GenericArrayData(column.toArray());
        }
        return new GenericInternalRow(arrays);
    }

    private void add(InternalRow own, Map<Object, Object[]> found) {
        ArrayData keys = own.getArray(0);
        for (int i = 1; i < row.length(); i++) {
            if (own.getArray(i).numElements() != keys.numElements()) {
                throw new ValueException("The arrays of keys and values have different sizes.");
            }
        }
        for (int at = 0; at < keys.numElements(); at++) {
            Object[] amounts = new Object[row.length() - 1];
            for (int i = 0; i < amounts.length; i++) {
                amounts[i] = own.getArray(i + 1).get(at, element(i + 1));
            }
            found.merge(keys.get(at, element(0)), amounts, this::both);
        }
    }

    private DataType element(int column) {
        return ((ArrayType) row.apply(column).dataType()).elementType();
    }

    private Object[] both(Object[] one, Object[] other) {
        for (int i = 0; i < one.length; i++) {
            one[i] = how.equals("min") || how.equals("max") ? extreme(one[i], other[i])
                    : sum(element(i + 1)).apply(one[i], other[i]);
        }
        return one;
    }

    private Object extreme(Object one, Object other) {
        return compare(one, other) < 0 == how.equals("min") ? one : other;
    }

    @SuppressWarnings("unchecked")
    private static int compare(Object one, Object other) {
        return ((Comparable<Object>) one).compareTo(other);
    }

    private static BinaryOperator<Object> sum(DataType type) {
        if (type.equals(UINT64)) {
            return (a, b) -> decimal(digits(a).add(digits(b)).toBigInteger().mod(UNSIGNED), UINT64);
        }
        if (type instanceof DecimalType decimal) {
            return (a, b) -> Decimal.apply(
                    digits(a).add(digits(b)), decimal.precision(), decimal.scale());
        }
        return (a, b) -> a instanceof Long ? (Object) ((Long) a + (Long) b)
                : (Object) ((Double) a + (Double) b);
    }

    private static Decimal decimal(BigInteger number, DecimalType type) {
        return Decimal.apply(new BigDecimal(number), type.precision(), type.scale());
    }

    private static BigDecimal digits(Object value) {
        return ((Decimal) value).toJavaBigDecimal();
    }

    private static boolean isZero(Object[] amounts) {
        for (Object amount : amounts) {
            boolean zero = amount instanceof Decimal decimal ? digits(decimal).signum() == 0
                    : ((Number) amount).doubleValue() == 0;
            if (!zero) {
                return false;
            }
        }
        return true;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof MergedMaps same && how.equals(same.how) && row.equals(same.row);
    }

    @Override
    public int hashCode() {
        return 31 * how.hashCode() + row.hashCode();
    }
}
