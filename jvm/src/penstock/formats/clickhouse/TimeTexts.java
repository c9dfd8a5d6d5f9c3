package penstock.formats.clickhouse;

import java.time.ZoneId;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.spark.unsafe.types.UTF8String;
import penstock.formats.FieldException;

/** The functions of Spark SQL that read times as ClickHouse's functions of texts do. */
public final class TimeTexts {
    // Zones are literals: there are few.
    private static final Map<UTF8String, ZoneId> ZONES = new ConcurrentHashMap<>();

    private TimeTexts() {}

    /**
     * Microseconds since the epoch, of a DateTime if {@code digits} is 0, else of a DateTime64; null
     * if the text cannot be read to its end.
     */
    public static Long bestEffort(
            UTF8String text, UTF8String zone, boolean monthFirst, int digits) {
        Input in = new Input(text.getBytes());
        try {
            long micros = BestEffort.micros(in, zone(zone), monthFirst, digits > 0);
            return in.atEnd() ? DateTimeValue.fit(micros, digits) : null;
        } catch (FieldException e) {
            return null;
        }
    }

    private static ZoneId zone(UTF8String name) {
        ZoneId known = ZONES.get(name);
        return known != null ? known
                : ZONES.computeIfAbsent(name.clone(), text -> ZoneId.of(text.toString()));
    }
}
