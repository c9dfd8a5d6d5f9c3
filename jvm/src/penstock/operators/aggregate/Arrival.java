package penstock.operators.aggregate;

import java.nio.ByteBuffer;
import java.util.Comparator;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.BoundReference;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.GetStructField;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.catalyst.util.TypeUtils;
import org.apache.spark.sql.types.StructType;
import penstock.catalyst.CodeWriter;
import penstock.catalyst.Packed;
import scala.Option;
import scala.collection.Iterator;
import scala.math.Ordering;

/**
 * The two parts of a call's arguments that have the place at which a row came: that place, and the
 * value. A list has both in one struct, the first or last value is followed by the place.
 */
final class Arrival implements Comparator<UnsafeRow> {
    // The planner's name for the column of places.
    private static final String COLUMN = "__order";
    private static final String PAIR = "o";

    private final boolean pair;
    private final int last;
    private final StructType type;
    private final UnsafeProjection value;
    private final Ordering<Object> order;

    private Arrival(List<Expression> arguments) {
        last = arguments.size() - 1;
        StructType given = (StructType) arguments.get(last).dataType();
        pair = given.fieldNames()[0].equals(PAIR);
        type = pair ? (StructType) given.apply(0).dataType() : given;
        BoundReference first = new BoundReference(0, arguments.get(0).dataType(), true);
        List<Expression> values = last > 0 ? List.of(first) : List.of();
        value = UnsafeProjection.create(CodeWriter.seq(
                pair ? List.<Expression>of(new GetStructField(first, 1, Option.empty())) : values));
        order = TypeUtils.getInterpretedOrdering(type);
    }

    /** The parts of a call; null if it does not go by the order in which rows came. */
    static Arrival of(Call call) {
        List<Expression> arguments = call.arguments();
        boolean ordered = !arguments.isEmpty() && names(arguments.get(arguments.size() - 1));
        return ordered ? new Arrival(arguments) : null;
    }

    private static boolean names(Expression argument) {
        Iterator<Attribute> found = argument.references().iterator();
        while (found.hasNext()) {
            if (found.next().name().equals(COLUMN)) {
                return true;
            }
        }
        return false;
    }

    /** The value without its place. */
    ByteBuffer value(UnsafeRow row) {
        return ByteBuffer.wrap(Packed.bytes(value.apply(row)));
    }

    /** The place, null of a value that is passed over. */
    InternalRow place(UnsafeRow row) {
        if (pair) {
            return row.getStruct(0, 2).getStruct(0, type.size());
        }
        return row.isNullAt(last) ? null : row.getStruct(last, type.size());
    }

    @Override
    public int compare(UnsafeRow a, UnsafeRow b) {
        return order.compare(place(a), place(b));
    }
}
