package penstock.functions;

/** CURRENT_ROW_TIMESTAMP: the time at which a row is worked on. */
public final class Clock {
    private Clock() {}

    /** Microseconds, of which Flink keeps milliseconds. */
    public static long now() {
        return System.currentTimeMillis() * 1000;
    }
}
