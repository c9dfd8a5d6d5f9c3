package penstock.watermark;

import org.apache.spark.sql.connector.read.streaming.Offset;

/** How far the clock was, in milliseconds of {@link LocalClock}. */
final class ClockOffset extends Offset {
    private final long millis;

    ClockOffset(long millis) {
        this.millis = millis;
    }

    long millis() {
        return millis;
    }

    @Override
    public String json() {
        return Long.toString(millis);
    }
}
