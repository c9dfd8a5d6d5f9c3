package penstock.operators.over;

import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.streaming.OutputMode;
import org.apache.spark.sql.streaming.StatefulProcessor;
import org.apache.spark.sql.streaming.TimeMode;
import org.apache.spark.sql.streaming.TimerValues;
import scala.collection.Iterator;
import scala.jdk.javaapi.CollectionConverters;

/** OVER by processing time: rows are told as they come; those of a batch have one time. */
final class ByArrival extends StatefulProcessor<byte[], Row, Row> {
    private static final long serialVersionUID = 1L;

    private final OverSpec spec;
    private transient Frame frame;

    ByArrival(OverSpec spec) {
        this.spec = spec;
    }

    @Override
    public void init(OutputMode outputMode, TimeMode timeMode) {
        frame = new Frame(spec, getHandle());
    }

    @Override
    public Iterator<Row> handleInputRows(byte[] key, Iterator<Row> rows, TimerValues timers) {
        List<Arrived> all = new ArrayList<>();
        while (rows.hasNext()) {
            all.add(Arrived.of(rows.next()));
        }
        all.sort(Arrived.ORDER);
        frame.load();
        List<Row> told = frame.take(all);
        frame.save();
        return CollectionConverters.asScala(told.iterator());
    }
}
