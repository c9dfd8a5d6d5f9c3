package penstock.delta;

import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.delta.DeltaLog;
import org.apache.spark.sql.delta.DeltaOperations;
import org.apache.spark.sql.delta.DeltaOptions;
import org.apache.spark.sql.delta.OptimisticTransaction;
import org.apache.spark.sql.delta.Snapshot;
import org.apache.spark.sql.delta.actions.Action;
import org.apache.spark.sql.delta.actions.Metadata;
import org.apache.spark.sql.delta.actions.Protocol;
import org.apache.spark.sql.delta.actions.SetTransaction;
import org.apache.spark.sql.streaming.OutputMode;
import org.apache.spark.sql.types.DataType;
import scala.Option;
import scala.jdk.javaapi.CollectionConverters;

/**
 * The commits of one stream to a Delta table: one for each batch, with the number of the batch.
 *
 * <p>Delta's own writers ask of every batch whether the table has it, for which they put the whole log
 * together anew by a query of its own. The first batch of a run can be there, and with a checkpoint
 * that lags behind also later ones: these are left to Delta, and so is a batch after which the table,
 * or the rows, look otherwise than before. Nobody else writes batches of this stream: its job is
 * locked.
 */
final class BatchCommits {
    private final OutputMode mode;
    private final Option<DeltaOptions> options;
    private Metadata metadata;
    private Protocol protocol;
    private long last = -1;

    BatchCommits(OutputMode mode, Option<DeltaOptions> options) {
        this.mode = mode;
        this.options = options;
    }

    /** Adds a batch of the stream; {@code byDelta} does, where the table may have the batch. */
    void add(DeltaLog log, String stream, long batch, Dataset<Row> rows, Runnable byDelta) {
        // One that is tried again may be there, whatever became of the first try.
        boolean isNext = batch > last;
        last = batch;
        OptimisticTransaction transaction = log.startTransaction(Option.empty(), Option.empty());
        if (isNext && isAsBefore(transaction, rows)) {
            append(transaction, stream, batch, rows);
            return;
        }
        // Asked before the batch: Delta asks the same, of the same state of the log.
        Option<Object> committed = transaction.snapshot().transactions().get(stream);
        byDelta.run();
        if (committed.isEmpty() || (long) committed.get() <= batch) {
            Snapshot now = log.unsafeVolatileSnapshot();
            metadata = now.metadata();
            protocol = now.protocol();
        }
    }

    private boolean isAsBefore(OptimisticTransaction transaction, Dataset<Row> rows) {
        return transaction.metadata().equals(metadata)
                && transaction.protocol().equals(protocol)
                && DataType.equalsIgnoreNullability(rows.schema(), metadata.schema());
    }

    private void append(OptimisticTransaction transaction, String stream, long batch,
            Dataset<Row> rows) {
        List<Action> actions = new ArrayList<>();
        Option<Object> now = Option.apply(transaction.clock().getTimeMillis());
        actions.add(new SetTransaction(stream, batch, now));
        actions.addAll(CollectionConverters.asJava(transaction.writeFiles(rows, options)));
        transaction.commit(
                CollectionConverters.asScala(actions).toSeq(),
                new DeltaOperations.StreamingUpdate(mode, stream, batch, Option.empty()));
    }
}
