package penstock.operators;

import java.time.Duration;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.classic.ExpressionUtils;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.streaming.OutputMode;
import org.apache.spark.sql.streaming.StatefulProcessor;
import org.apache.spark.sql.streaming.TTLConfig;
import org.apache.spark.sql.streaming.TimeMode;
import org.apache.spark.sql.types.Metadata;
import org.apache.spark.sql.types.MetadataBuilder;
import org.apache.spark.sql.types.StructType;
import penstock.catalyst.Unpack;

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

    /** Where rows are in windows: the end of a row's, in microseconds. */
    public static final int UNTIL = 3;

    /**
     * The order of rows of one key. Places in two partitions may be alike: then what goes is before
     * what comes, and the bytes decide, so that a batch that is run again gives the same.
     */
    public static final Comparator<Row> BY_PLACE =
            Comparator.<Row>comparingLong(row -> row.getLong(AT))
                    .thenComparing(row -> RowKind.isPresent(row.getByte(KIND)))
                    .thenComparing(row -> row.<byte[]>getAs(ROW), Arrays::compareUnsigned);

    private static final long MICROS_PER_MILLI = 1000;
    private static final String WATERMARK = "spark.watermarkDelayMs";
    private static final StructType IN_WINDOW =
            StructType.fromDDL("r BINARY NOT NULL, kind TINYINT NOT NULL, at BIGINT NOT NULL, "
                    + "until BIGINT NOT NULL, k BINARY NOT NULL");
    private static final StructType IN =
            StructType.fromDDL("r BINARY NOT NULL, kind TINYINT NOT NULL, at BIGINT NOT NULL, "
                    + "k BINARY NOT NULL");
    private static final StructType IN_FRAME =
            StructType.fromDDL("r BINARY NOT NULL, a BINARY NOT NULL, at BIGINT NOT NULL, "
                    + "time BIGINT NOT NULL, until BIGINT NOT NULL, k BINARY NOT NULL");
    private static final StructType IN_ORDER =
            StructType.fromDDL("r BINARY NOT NULL, a BINARY NOT NULL, at BIGINT NOT NULL, "
                    + "kind TINYINT NOT NULL, k BINARY NOT NULL");
    private static final StructType OUT =
            StructType.fromDDL("r BINARY NOT NULL, kind TINYINT NOT NULL");
    private static final StructType OUT_PLACED =
            StructType.fromDDL("r BINARY NOT NULL, kind TINYINT NOT NULL, at BIGINT NOT NULL");

    private Changes() {}

    /** What a processor makes of packed rows; with a time to live it forgets by the clock. */
    public static Dataset<Row> transformed(
            Dataset<Row> packed, StatefulProcessor<byte[], Row, Row> processor, long ttlMillis) {
        return transformed(packed, processor, ttlMillis, OUT);
    }

    /** The same of one that also tells where the row stood that a change comes from. */
    static Dataset<Row> placed(
            Dataset<Row> packed, StatefulProcessor<byte[], Row, Row> processor, long ttlMillis) {
        return transformed(packed, processor, ttlMillis, OUT_PLACED);
    }

    private static Dataset<Row> transformed(Dataset<Row> packed,
            StatefulProcessor<byte[], Row, Row> processor, long ttlMillis, StructType out) {
        // Where no stream ever ran, nothing would know of the stores of a batch.
        packed.sparkSession().streams();
        TimeMode time = ttlMillis > 0 ? TimeMode.ProcessingTime() : TimeMode.None();
        return packed.select("r", "kind", "at", "k")
                .groupBy(functions.col("k")).as(Encoders.BINARY(), Encoders.row(IN))
                .transformWithState(processor, time, OutputMode.Append(), Encoders.row(out));
    }

    /**
     * What a processor makes of packed rows that have the end of their window as {@code until}. It
     * has timers by the watermark; rows whose window was over a batch before do not reach it.
     */
    public static Dataset<Row> windowed(
            Dataset<Row> packed, StatefulProcessor<byte[], Row, Row> processor) {
        return windowed(packed, processor, TimeMode.EventTime());
    }

    /** The same of a batch, which has no watermark: all rows of a key are there at once. */
    public static Dataset<Row> windowedAtEnd(
            Dataset<Row> packed, StatefulProcessor<byte[], Row, Row> processor) {
        packed.sparkSession().streams();
        return windowed(packed, processor, TimeMode.None());
    }

    private static Dataset<Row> windowed(Dataset<Row> packed,
            StatefulProcessor<byte[], Row, Row> processor, TimeMode time) {
        return packed.select(functions.col("r"), functions.col("kind"), functions.col("at"),
                        marked(), functions.col("k"))
                .groupBy(functions.col("k")).as(Encoders.BINARY(), Encoders.row(IN_WINDOW))
                .transformWithState(processor, time, OutputMode.Append(), Encoders.row(OUT));
    }

    /** Spark leaves out late rows by the column that has this mark. */
    private static Column marked() {
        Metadata mark = new MetadataBuilder().putLong(WATERMARK, 0).build();
        return functions.col("until").as("until", mark);
    }

    /**
     * What a processor makes of rows with their inputs {@code a}, their {@code time} in milliseconds
     * and {@code until}, by which Spark leaves out late ones. It has timers by the watermark.
     */
    public static Dataset<Row> timed(
            Dataset<Row> packed, StatefulProcessor<byte[], Row, Row> processor) {
        return framed(packed, marked(), processor, TimeMode.EventTime());
    }

    /** The same by the clock: rows that nothing touches for a time are forgotten, with 0 never. */
    public static Dataset<Row> clocked(
            Dataset<Row> packed, StatefulProcessor<byte[], Row, Row> processor, long ttlMillis) {
        TimeMode time = ttlMillis > 0 ? TimeMode.ProcessingTime() : TimeMode.None();
        return framed(packed, functions.col("until"), processor, time);
    }

    /** What a processor makes of rows with their inputs {@code a}, which come and go. */
    public static Dataset<Row> ordered(
            Dataset<Row> packed, StatefulProcessor<byte[], Row, Row> processor) {
        packed.sparkSession().streams();
        return packed.select("r", "a", "at", "kind", "k")
                .groupBy(functions.col("k")).as(Encoders.BINARY(), Encoders.row(IN_ORDER))
                .transformWithState(
                        processor, TimeMode.None(), OutputMode.Append(), Encoders.row(OUT));
    }

    private static Dataset<Row> framed(Dataset<Row> packed, Column until,
            StatefulProcessor<byte[], Row, Row> processor, TimeMode time) {
        return packed.select(functions.col("r"), functions.col("a"), functions.col("at"),
                        functions.col("time"), until, functions.col("k"))
                .groupBy(functions.col("k")).as(Encoders.BINARY(), Encoders.row(IN_FRAME))
                .transformWithState(processor, time, OutputMode.Append(), Encoders.row(OUT));
    }

    /** The end of the window that rows of one key are in, in milliseconds. */
    public static long windowEnd(Row row) {
        return Math.floorDiv(row.getLong(UNTIL), MICROS_PER_MILLI);
    }

    /** A time to live; 0 is none. */
    public static TTLConfig ttl(long millis) {
        return millis > 0 ? new TTLConfig(Duration.ofMillis(millis)) : TTLConfig.NONE();
    }

    /** The columns of rows that went out, and their kind under a name. */
    public static Dataset<Row> unpacked(Dataset<Row> changes, StructType type, String kind) {
        Column row = ExpressionUtils.column(
                new Unpack(ExpressionUtils.expression(functions.col("r")), type));
        return changes.select(row.as("r"), functions.col("kind").as(kind)).select("r.*", kind);
    }

    /** The kind of each row; where rows have none they only come. */
    public static Column kindOf(Dataset<Row> rows, String kind) {
        return List.of(rows.columns()).contains(kind)
                ? functions.col(kind) : functions.lit(RowKind.INSERT);
    }

    /**
     * What makes of the row of a key, null for none, another one. The same row is told only with a
     * time to live, to keep it alive further down.
     */
    public static List<Row> between(
            byte[] before, byte[] after, boolean updateBefore, long ttlMillis) {
        if (after == null) {
            return before == null ? List.of() : List.of(change(RowKind.DELETE, before));
        }
        if (before == null) {
            return List.of(change(RowKind.INSERT, after));
        }
        boolean told = ttlMillis > 0 || !Arrays.equals(before, after);
        return told ? update(before, after, updateBefore) : List.of();
    }

    /** A row in the place of another one, which is told where the consumer needs it. */
    public static List<Row> update(byte[] before, byte[] after, boolean updateBefore) {
        Row now = change(RowKind.UPDATE_AFTER, after);
        return updateBefore ? List.of(change(RowKind.UPDATE_BEFORE, before), now) : List.of(now);
    }

    /** A row that goes out. */
    public static Row change(byte kind, byte[] row) {
        return RowFactory.create(row, kind);
    }
}
