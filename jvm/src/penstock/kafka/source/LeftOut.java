package penstock.kafka.source;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/**
 * How many messages, or rows of them, of a batch its tasks have left out so far: all of them where
 * they share a process, else those of one executor, for tasks do not hear of each other.
 */
final class LeftOut {
    private static final int BATCHES = 256;
    private static final Map<Long, AtomicLong> COUNTS = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Long, AtomicLong> eldest) {
            return size() > BATCHES;
        }
    };

    private LeftOut() {}

    /** The count of the batch whose accumulator has this id. */
    static AtomicLong inBatch(long accumulator) {
        synchronized (COUNTS) {
            return COUNTS.computeIfAbsent(accumulator, unused -> new AtomicLong());
        }
    }
}
