package penstock.formats.clickhouse;

import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;

/** Days and seconds as ClickHouse counts them: what is too large runs over into what is next. */
final class Calendar {
    static final long SECONDS_PER_DAY = 86_400;

    private Calendar() {}

    /** Days since the epoch; a month that does not exist is the epoch itself. */
    static long days(int year, int month, int day) {
        if (year == 0 || month < 1 || month > 12 || day < 1) {
            return 0;
        }
        return LocalDate.of(year, month, 1).toEpochDay() + day - 1;
    }

    /** Seconds since the epoch of a time on the clocks of a zone. */
    static long instant(long localSecond, ZoneId zone) {
        ZoneRules rules = zone.getRules();
        if (rules.isFixedOffset()) {
            return localSecond - rules.getOffset(Instant.EPOCH).getTotalSeconds();
        }
        LocalDateTime local = LocalDateTime.ofEpochSecond(localSecond, 0, ZoneOffset.UTC);
        ZoneOffsetTransition change = rules.getTransition(local);
        // A time that the clocks leave out is read as if they had been set already.
        ZoneOffset offset = change != null && change.isGap() ? change.getOffsetAfter()
                : rules.getOffset(local);
        return localSecond - offset.getTotalSeconds();
    }

    /** As above, by day and second of the day, of which there may be more than a day has. */
    static long instant(long days, long seconds, ZoneId zone) {
        long last = SECONDS_PER_DAY - 1;
        long more = Math.max(0, seconds - last);
        return instant(days * SECONDS_PER_DAY + seconds - more, zone) + more;
    }

    /** What the clocks of a zone show, as seconds since the epoch on them. */
    static long local(long second, ZoneId zone) {
        ZoneRules rules = zone.getRules();
        return second + rules.getOffset(Instant.ofEpochSecond(second)).getTotalSeconds();
    }
}
