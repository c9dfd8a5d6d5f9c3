package penstock.watermark;

import java.util.List;
import org.apache.spark.sql.catalyst.plans.logical.BaseEvalPython;
import org.apache.spark.sql.catalyst.plans.logical.EventTimeWatermark;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.SparkStrategy;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;

/** Plans the watermarks of our tables; those of others are left to Spark. */
final class PartitionWatermarkStrategy extends SparkStrategy {
    private static final long serialVersionUID = 1L;

    @Override
    public Seq<SparkPlan> apply(LogicalPlan plan) {
        List<SparkPlan> planned = List.of();
        if (plan instanceof EventTimeWatermark watermark
                && PartitionWatermarkExec.knows(watermark.eventTime())) {
            if (watermark.child().exists(node -> node instanceof BaseEvalPython)) {
                PartitionWatermarks.readsAhead(PartitionWatermarkExec.keyOf(watermark.eventTime()));
            }
            SparkPlan child = planLater(watermark.child());
            planned = List.of(new PartitionWatermarkExec(
                    watermark.nodeId(), watermark.eventTime(), watermark.delay(), child));
        }
        return CollectionConverters.asScala(planned).toList();
    }
}
