package penstock.delta;

import org.apache.spark.sql.SQLContext;
import org.apache.spark.sql.delta.sources.DeltaDataSource;
import org.apache.spark.sql.delta.sources.DeltaSink;
import org.apache.spark.sql.execution.streaming.Sink;
import org.apache.spark.sql.sources.StreamSinkProvider;
import org.apache.spark.sql.streaming.OutputMode;
import scala.collection.immutable.Map;
import scala.collection.immutable.Seq;

/** {@code format("penstock.delta.AppendProvider")}: Delta's sink, whose options it takes over. */
public final class AppendProvider implements StreamSinkProvider {
    @Override
    public Sink createSink(SQLContext context, Map<String, String> options,
            Seq<String> partitionColumns, OutputMode mode) {
        Sink deltas = new DeltaDataSource().createSink(context, options, partitionColumns, mode);
        return new AppendSink((DeltaSink) deltas);
    }
}
