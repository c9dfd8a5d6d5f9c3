package penstock.operators;

import java.time.Duration;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.streaming.OutputMode;
import org.apache.spark.sql.streaming.StatefulProcessor;
import org.apache.spark.sql.streaming.TTLConfig;
import org.apache.spark.sql.streaming.TimeMode;
import org.apache.spark.sql.types.StructType;

/**
 * The shape in which rows go into and out of a stateful operator: packed into bytes.
 *
 * <p>In: {@code k} the key, {@code r} the row, {@code kind} as in {@link RowKind}, {@code at} its
 * place in the order of its key. Out: {@code r} and {@code kind}. An operator keeps and compares
 * bytes; none of Spark's conversions between its rows and Java's is paid per column.
 */
public final class Changes {
    /** Positions in a row that comes in. */
    public static final int ROW = 0;
    public static final int KIND = 1;
    public static final int AT = 2;

    private static final StructType IN =
            StructType.fromDDL("r BINARY NOT NULL, kind TINYINT NOT NULL, at BIGINT NOT NULL, "
                    + "k BINARY NOT NULL");
    private static final StructType OUT =
            StructType.fromDDL("r BINARY NOT NULL, kind TINYINT NOT NULL");

    private Changes() {}

    /** What a processor makes of packed rows; with a time to live it forgets by the clock. */
    public static Dataset<Row> transformed(
            Dataset<Row> packed, StatefulProcessor<byte[], Row, Row> processor, long ttlMillis) {
        // Where no stream ever ran, nothing would know of the stores of a batch.
        packed.sparkSession().streams();
        TimeMode time = ttlMillis > 0 ? TimeMode.ProcessingTime() : TimeMode.None();
        return packed.select("r", "kind", "at", "k").groupBy(functions.col("k")).as(Encoders.BINARY(), Encoders.row(IN))
                .transformWithState(processor, time, OutputMode.Append(), Encoders.row(OUT));
    }

    /** A time to live; 0 is none. */
    public static TTLConfig ttl(long millis) {
        return millis > 0 ? new TTLConfig(Duration.ofMillis(millis)) : TTLConfig.NONE();
    }

    /** A row that goes out. */
    public static Row change(byte kind, byte[] row) {
        return RowFactory.create(row, kind);
    }
}
