package penstock.delta;

import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.delta.DeltaLog;
import org.apache.spark.sql.delta.sources.DeltaSink;
import org.apache.spark.sql.execution.streaming.Sink;
import scala.Option;

/** Delta's sink, which looks into the log only where it must. */
final class AppendSink implements Sink {
    private final DeltaSink deltas;
    private final BatchCommits commits;

    AppendSink(DeltaSink deltas) {
        this.deltas = deltas;
        this.commits = new BatchCommits(deltas.outputMode(), Option.apply(deltas.options()));
    }

    @Override
    public void addBatch(long batch, Dataset<Row> rows) {
        DeltaLog log = DeltaLog.forTable(rows.sparkSession(), deltas.path());
        commits.add(log, deltas.queryId(), batch, rows, () -> deltas.addBatch(batch, rows));
    }

    @Override
    public String toString() {
        return deltas.toString();
    }
}
