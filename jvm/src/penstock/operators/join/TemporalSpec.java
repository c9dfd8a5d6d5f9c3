package penstock.operators.join;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.Serializable;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import penstock.operators.Told;

/**
 * What a temporal join does with the rows of one key.
 *
 * @param join the sides, the kind, and what is asked beside the key
 * @param leftTime which column of the left side says of when the version is to be
 * @param rightTime which column of the right side says since when a version is one
 * @param keep which rows of the right side are versions
 * @param zone where times are points on the time line, the zone in which a watermark tells them;
 *     else null
 * @param atEnd whether all rows are there at once, so that none waits
 */
record TemporalSpec(JoinSpec join, int leftTime, int rightTime, Keep keep, ZoneId zone,
        boolean atEnd) implements Serializable {
    /** Which rows of the right side are versions. */
    enum Keep {
        /** Each, also one that comes after a later one. */
        ALL,
        /** Each that is not older than those before it: a deduplication that keeps the last row. */
        LAST,
        /** The oldest: a deduplication that keeps the first row. */
        FIRST
    }

    // Where clocks are set back by up to two hours, a later time may show an earlier hour.
    private static final long CLOCK_CHANGE_MICROS = 2L * 60 * 60 * 1000 * 1000;

    /** What JSON tells of a temporal join. */
    static TemporalSpec of(JoinSpec join, String json) {
        JsonNode told = Told.read(json);
        String zone = told.get("zone").textValue();
        return new TemporalSpec(
                join,
                join.left().fieldIndex(told.get("leftTime").textValue()),
                join.right().fieldIndex(told.get("rightTime").textValue()),
                Keep.valueOf(told.get("keep").textValue()),
                zone.isEmpty() ? null : ZoneId.of(zone),
                told.get("atEnd").booleanValue());
    }

    /** A time of the right side as a watermark tells it. */
    long shown(long micros) {
        if (zone == null) {
            return micros;
        }
        Instant instant = Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
        Instant shown = instant.atZone(zone).toLocalDateTime().toInstant(ZoneOffset.UTC);
        return ChronoUnit.MICROS.between(Instant.EPOCH, shown);
    }

    /** Whether the watermark has so passed a time of the right side that no left row is before it. */
    boolean isPassed(long micros, long watermarkMicros) {
        long slack = zone == null ? 0 : CLOCK_CHANGE_MICROS;
        return !atEnd && shown(micros) + slack <= watermarkMicros;
    }
}
