package penstock.delta;

import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.delta.DeltaLog;
import org.apache.spark.sql.delta.DeltaOperations;
import org.apache.spark.sql.delta.OptimisticTransaction;
import org.apache.spark.sql.delta.Snapshot;
import org.apache.spark.sql.delta.actions.Action;
import org.apache.spark.sql.delta.actions.Metadata;
import org.apache.spark.sql.delta.actions.Protocol;
import org.apache.spark.sql.delta.actions.SetTransaction;
import org.apache.spark.sql.delta.sources.DeltaSink;
import org.apache.spark.sql.execution.streaming.Sink;
import org.apache.spark.sql.types.DataType;
import scala.Option;
import scala.jdk.javaapi.CollectionConverters;

/**
 * Adds each batch to a Delta table in one commit, with the number of the batch.
 *
 * <p>Delta's own sink asks of every batch whether the table has it, for which it puts the whole log
 * together anew by a query of its own. The first batch of a run can be there, and with a checkpoint
 * that lags behind also later ones: these are left to Delta's sink, and so is a batch after which the
 * table, or the rows, look otherwise than before. Nobody else writes batches of this query: its job is
 * locked.
 */
final class AppendSink implements Sink {
    private final DeltaSink deltas;
    private Metadata metadata;
    private Protocol protocol;

    AppendSink(DeltaSink deltas) {
        this.deltas = deltas;
    }

    @Override
    public void addBatch(long batch, Dataset<Row> rows) {
        DeltaLog log = DeltaLog.forTable(rows.sparkSession(), deltas.path());
        OptimisticTransaction transaction = metadata == null
                ? null : log.startTransaction(Option.empty(), Option.empty());
        if (transaction != null && isAsBefore(transaction, rows)) {
            append(transaction, batch, rows);
            return;
        }
        deltas.addBatch(batch, rows);
        Snapshot now = log.unsafeVolatileSnapshot();
        Option<Object> last = now.transactions().get(deltas.queryId());
        if (last.isEmpty() || (long) last.get() <= batch) {
            metadata = now.metadata();
            protocol = now.protocol();
        }
    }

    private boolean isAsBefore(OptimisticTransaction transaction, Dataset<Row> rows) {
        return transaction.metadata().equals(metadata)
                && transaction.protocol().equals(protocol)
                && DataType.equalsIgnoreNullability(rows.schema(), metadata.schema());
    }

    private void append(OptimisticTransaction transaction, long batch, Dataset<Row> rows) {
        List<Action> actions = new ArrayList<>();
        String query = deltas.queryId();
        Option<Object> now = Option.apply(transaction.clock().getTimeMillis());
        actions.add(new SetTransaction(query, batch, now));
        var files = transaction.writeFiles(rows, Option.apply(deltas.options()));
        actions.addAll(CollectionConverters.asJava(files));
        transaction.commit(
                CollectionConverters.asScala(actions).toSeq(),
                new DeltaOperations.StreamingUpdate(
                        deltas.outputMode(), query, batch, Option.empty()));
    }

    @Override
    public String toString() {
        return deltas.toString();
    }
}
