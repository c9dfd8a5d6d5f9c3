package penstock.operators;

import org.apache.spark.sql.streaming.StatefulProcessorHandle;

/** The one timer that a key has: it goes off at the earliest time that somebody asked for. */
public final class OneTimer {
    /** No time. */
    public static final long NONE = Long.MAX_VALUE;

    private final StatefulProcessorHandle handle;
    private long time = NONE;

    public OneTimer(StatefulProcessorHandle handle) {
        this.handle = handle;
    }

    /** That of another key, as it was saved; none if nothing was. */
    public void load(long saved) {
        time = saved;
    }

    public long time() {
        return time;
    }

    public boolean isSet() {
        return time != NONE;
    }

    /** Whatever else is due, it goes off at this time or before. */
    public void wakeBy(long wanted) {
        if (wanted < time) {
            if (isSet()) {
                handle.deleteTimer(time);
            }
            handle.registerTimer(wanted);
            time = wanted;
        }
    }

    /** It has gone off. */
    public void awake() {
        time = NONE;
    }
}
