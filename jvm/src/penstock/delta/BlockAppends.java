package penstock.delta;

import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SaveMode;
import org.apache.spark.sql.delta.DeltaLog;
import org.apache.spark.sql.streaming.OutputMode;
import scala.Option;

/** Adds what is made of the batches of a stream, which are handed over one by one, to a table. */
public final class BlockAppends {
    private final String path;
    private final String stream;
    private final BatchCommits commits = new BatchCommits(OutputMode.Append(), Option.empty());

    /** A table by its folder, and a stream by the id in its checkpoint. */
    public BlockAppends(String path, String stream) {
        this.path = path;
        this.stream = stream;
    }

    /** Adds the rows of a batch, unless they are there. */
    public void add(long batch, Dataset<Row> rows) {
        DeltaLog log = DeltaLog.forTable(rows.sparkSession(), path);
        commits.add(log, stream, batch, rows, () -> rows.write()
                .format("delta")
                .mode(SaveMode.Append)
                .option("txnAppId", stream)
                .option("txnVersion", batch)
                .save(path));
    }
}
