package penstock.formats.registry;

import java.util.Map;
import java.util.concurrent.TimeUnit;
import penstock.formats.CodecOptions;

/**
 * Ids whose schema the registry does not have, or that nobody can read with. For a while it is not
 * asked for them again: where bad messages are left out, there may be very many.
 */
public final class Unusable {
    private static final int MOST = 10_000;
    private static final long SECONDS = 10;

    private final Map<Integer, Refusal> known = new Recent<>(MOST);
    private final long nanos;

    private record Refusal(String reason, long since) {}

    /** For the time that the options say. */
    public Unusable(CodecOptions options) {
        this.nanos = TimeUnit.SECONDS.toNanos(options.number("missing.id.cache.ttl.sec", SECONDS));
    }

    /** Why an id is of no use, as it was found not long ago; null if it was not. */
    public synchronized String reason(int id) {
        Refusal found = known.get(id);
        return found == null || System.nanoTime() - found.since > nanos ? null : found.reason;
    }

    /** From now on an id is known to be of no use. */
    public synchronized void add(int id, String reason) {
        known.put(id, new Refusal(reason, System.nanoTime()));
    }
}
