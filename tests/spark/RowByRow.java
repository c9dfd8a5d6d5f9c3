import java.lang.reflect.Field;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.TransformWithState;
import org.apache.spark.sql.execution.streaming.operators.stateful.transformwithstate.statefulprocessor.ImplicitGroupingKeyTracker;
import org.apache.spark.sql.streaming.OutputMode;
import org.apache.spark.sql.streaming.StatefulProcessor;
import org.apache.spark.sql.streaming.TimeMode;
import org.apache.spark.sql.streaming.TimerValues;
import penstock.operators.Changes;
import penstock.operators.RowKind;
import scala.jdk.javaapi.CollectionConverters;

/**
 * Calls a processor as a real-time batch does: once for each row, in the order in which they come,
 * and between two rows of a key with one of another key.
 */
public final class RowByRow extends StatefulProcessor<byte[], Row, Row> {
    private static final long serialVersionUID = 1L;
    private static final int KINDS = 3;

    private StatefulProcessor<byte[], Row, Row> processor;
    private transient byte[] otherKey;
    private transient List<Row> others;
    private transient long calls;

    /** Puts itself before the processor in the plan of a query that has not begun. */
    public void into(Dataset<Row> changes) throws ReflectiveOperationException {
        into(((org.apache.spark.sql.classic.Dataset<Row>) changes).logicalPlan());
    }

    @SuppressWarnings("unchecked")
    private void into(LogicalPlan plan) throws ReflectiveOperationException {
        if (plan instanceof TransformWithState) {
            Field field = TransformWithState.class.getDeclaredField("statefulProcessor");
            field.setAccessible(true);
            processor = (StatefulProcessor<byte[], Row, Row>) field.get(plan);
            field.set(plan, this);
            return;
        }
        for (LogicalPlan child : CollectionConverters.asJava(plan.children())) {
            into(child);
        }
    }

    @Override
    public void init(OutputMode outputMode, TimeMode timeMode) {
        processor.setHandle(getHandle());
        processor.init(outputMode, timeMode);
        others = List.of();
    }

    @Override
    public scala.collection.Iterator<Row> handleInputRows(
            byte[] key, scala.collection.Iterator<Row> rows, TimerValues timers) {
        List<Row> mine = new ArrayList<>(CollectionConverters.asJava(rows.toSeq()));
        mine.sort(Comparator.comparingLong(row -> row.getLong(Changes.AT)));
        Iterator<Row> between = others.iterator();
        byte[] another = another();
        List<Row> found = new ArrayList<>();
        for (Row row : mine) {
            if (between.hasNext()) {
                call(another, between.next(), timers);
            }
            found.addAll(call(key, row, timers));
        }
        otherKey = key;
        others = mine.stream().filter(RowByRow::comes).toList();
        return CollectionConverters.asScala(found.iterator());
    }

    /** A key that no row has: the last one, and a number behind it. */
    private byte[] another() {
        return otherKey == null ? null : ByteBuffer.allocate(otherKey.length + Long.BYTES)
                .put(otherKey).putLong(calls++).array();
    }

    private List<Row> call(byte[] key, Row row, TimerValues timers) {
        ImplicitGroupingKeyTracker.removeImplicitKey();
        ImplicitGroupingKeyTracker.setImplicitKey(key);
        scala.collection.Iterator<Row> one =
                CollectionConverters.asScala(Collections.singletonList(row).iterator());
        return CollectionConverters.asJava(processor.handleInputRows(key, one, timers).toSeq());
    }

    private static boolean comes(Row row) {
        return RowKind.isPresent((byte) (row.getByte(Changes.KIND) & KINDS));
    }
}
