package penstock.formats.avro;

import static java.util.Map.entry;

import java.util.Map;
import org.apache.avro.Schema;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.TimeType;

/**
 * What a schema counts where SQL has a date, a time of the day or a point in time. Debezium says it
 * by a name of its own instead of a logical type; without any, Flink's units hold.
 *
 * @param kind what it is
 * @param stored how the count is written
 * @param nanos what is counted, in nanoseconds; of no use for dates
 */
record AvroTime(Kind kind, Schema.Type stored, long nanos) {
    /** Types of SQL. */
    enum Kind { DATE, TIME, TIMESTAMP }

    static final long MICRO = 1_000;

    private static final long MILLI = 1_000_000;
    private static final AvroTime DATE = new AvroTime(Kind.DATE, Schema.Type.INT, 0);
    private static final AvroTime TIME = new AvroTime(Kind.TIME, Schema.Type.INT, MILLI);
    private static final AvroTime TIMESTAMP = timestamp(MILLI);
    private static final String DEBEZIUM = "io.debezium.time.";
    private static final Map<String, AvroTime> NAMED = Map.ofEntries(
            entry("date", DATE),
            entry("time-millis", TIME),
            entry("time-micros", time(MICRO)),
            entry("timestamp-millis", TIMESTAMP),
            entry("timestamp-micros", timestamp(MICRO)),
            entry("timestamp-nanos", timestamp(1)),
            entry("local-timestamp-millis", TIMESTAMP),
            entry("local-timestamp-micros", timestamp(MICRO)),
            entry("local-timestamp-nanos", timestamp(1)),
            entry(DEBEZIUM + "Date", DATE),
            entry(DEBEZIUM + "Time", TIME),
            entry(DEBEZIUM + "MicroTime", time(MICRO)),
            entry(DEBEZIUM + "NanoTime", time(1)),
            entry(DEBEZIUM + "Timestamp", TIMESTAMP),
            entry(DEBEZIUM + "MicroTimestamp", timestamp(MICRO)),
            entry(DEBEZIUM + "NanoTimestamp", timestamp(1)));

    private static AvroTime time(long nanos) {
        return new AvroTime(Kind.TIME, Schema.Type.LONG, nanos);
    }

    private static AvroTime timestamp(long nanos) {
        return new AvroTime(Kind.TIMESTAMP, Schema.Type.LONG, nanos);
    }

    /** Whether a type is one of these. */
    static boolean is(DataType type) {
        return plain(type) != null;
    }

    /** What a schema counts for a type; null if it says something else than the type. */
    static AvroTime of(Schema schema, DataType type) {
        AvroTime plain = plain(type);
        String name = name(schema);
        AvroTime found = name == null ? plain : NAMED.get(name);
        return found != null && found.kind == plain.kind && found.stored == schema.getType()
                ? found : null;
    }

    private static AvroTime plain(DataType type) {
        if (type.equals(DataTypes.DateType)) {
            return DATE;
        }
        if (type instanceof TimeType) {
            return TIME;
        }
        return type.equals(DataTypes.TimestampType) || type.equals(DataTypes.TimestampNTZType)
                ? TIMESTAMP : null;
    }

    private static String name(Schema schema) {
        String logical = schema.getProp("logicalType");
        String connect = schema.getProp("connect.name");
        return logical == null && connect != null && connect.startsWith(DEBEZIUM)
                ? connect : logical;
    }
}
