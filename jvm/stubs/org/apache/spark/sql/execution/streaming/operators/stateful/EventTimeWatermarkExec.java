package org.apache.spark.sql.execution.streaming.operators.stateful;

import java.util.UUID;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.unsafe.types.CalendarInterval;
import scala.collection.immutable.IndexedSeq;
import scala.collection.immutable.Seq;

/**
 * Spark's class in a form that javac can extend: the generic signatures of the real one clash in
 * Java. Only compiled against, never put into the jar.
 */
public class EventTimeWatermarkExec extends SparkPlan {
    private static final long serialVersionUID = 1L;

    public EventTimeWatermarkExec(
            UUID nodeId, Attribute eventTime, CalendarInterval delay, SparkPlan child) {}

    public native UUID nodeId();

    public native Attribute eventTime();

    public native CalendarInterval delay();

    public native SparkPlan child();

    public native EventTimeStatsAccum eventTimeStats();

    public native long delayMs();

    public native EventTimeWatermarkExec withNewChildInternal(SparkPlan child);

    @Override
    public native RDD<InternalRow> doExecute();

    @Override
    public native Seq<Attribute> output();

    @Override
    public native Seq<SparkPlan> children();

    @Override
    public native SparkPlan withNewChildrenInternal(IndexedSeq<SparkPlan> children);

    @Override
    public native int productArity();

    @Override
    public native Object productElement(int number);

    @Override
    public native boolean canEqual(Object other);
}
