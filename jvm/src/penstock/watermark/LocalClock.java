package penstock.watermark;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.zone.ZoneOffsetTransition;

/**
 * Times of day in a zone, as milliseconds since 1970 in UTC of the same date and time.
 *
 * <p>Where clocks are set back an hour comes twice. What waits for that hour to pass must wait for
 * the second one, so the time stands still at its beginning until both are over.
 */
record LocalClock(ZoneId zone) {
    long at(long epochMs) {
        return settled(LocalDateTime.ofInstant(Instant.ofEpochMilli(epochMs), zone));
    }

    private long settled(LocalDateTime local) {
        ZoneOffsetTransition change = zone.getRules().getTransition(local);
        LocalDateTime found = change != null && change.isOverlap()
                ? change.getDateTimeAfter() : local;
        return found.toInstant(ZoneOffset.UTC).toEpochMilli();
    }
}
