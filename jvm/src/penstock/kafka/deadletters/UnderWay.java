package penstock.kafka.deadletters;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.TimeoutException;

/**
 * A task of this JVM whose letters may be under way. A query that is stopped does not wait for its
 * tasks: they may still send when its next run looks which letters are there.
 *
 * @param run which no other run of the query has
 */
record UnderWay(LetterSpec spec, String checkpoint, String run) {
    // Longer than a producer is given for its last sends.
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final List<UnderWay> ALL = new ArrayList<>();

    /** From now on letters of this task may be under way, and none of an earlier run is. */
    void begin() {
        long end = System.nanoTime() + LIMIT.toNanos();
        synchronized (ALL) {
            while (ALL.stream().anyMatch(this::isOfAnotherRun)) {
                long leftMs = Duration.ofNanos(end - System.nanoTime()).toMillis();
                if (leftMs <= 0) {
                    throw new TimeoutException("An earlier run of the query still writes letters.");
                }
                await(leftMs);
            }
            ALL.add(this);
        }
    }

    /** Its letters are there, or never will be. */
    void end() {
        synchronized (ALL) {
            ALL.remove(this);
            ALL.notifyAll();
        }
    }

    private boolean isOfAnotherRun(UnderWay other) {
        return other.spec.equals(spec) && other.checkpoint.equals(checkpoint)
                && !other.run.equals(run);
    }

    private static void await(long limitMs) {
        try {
            ALL.wait(limitMs);
        } catch (InterruptedException stopped) {
            throw new InterruptException(stopped);
        }
    }
}
