package penstock.sources;

import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.ReturnAnswer;
import org.apache.spark.sql.classic.SparkSession;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.SparkStrategy;
import org.apache.spark.sql.execution.datasources.HadoopFsRelation;
import org.apache.spark.sql.execution.datasources.LogicalRelation;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;

/**
 * Files that stand beside a stream as they are by then: Spark lists them once, when the query is
 * made, and plans each batch anew. Here they are listed again before that, once for each batch. It
 * plans nothing itself.
 */
public final class CurrentFiles extends SparkStrategy {
    private static final long serialVersionUID = 1L;

    /** An option of a reader whose files are to be listed again. */
    private static final String CURRENT = "penstock.current";

    private CurrentFiles() {}

    /** Let the queries of a session see files as they are. */
    public static void install(SparkSession session) {
        List<SparkStrategy> strategies = new ArrayList<>();
        strategies.add(new CurrentFiles());
        strategies.addAll(
                CollectionConverters.asJava(session.experimental().extraStrategies()));
        session.experimental().extraStrategies_$eq(
                CollectionConverters.asScala(strategies).toList());
    }

    @Override
    public Seq<SparkPlan> apply(LogicalPlan plan) {
        if (plan instanceof ReturnAnswer whole) {
            CollectionConverters.asJava(whole.collectLeaves()).forEach(CurrentFiles::list);
        }
        return CollectionConverters.asScala(List.<SparkPlan>of()).toList();
    }

    private static void list(LogicalPlan leaf) {
        if (leaf instanceof LogicalRelation relation
                && relation.relation() instanceof HadoopFsRelation files
                && files.options().contains(CURRENT)) {
            files.location().refresh();
        }
    }
}
