package penstock.kafka.sink;

import static org.apache.kafka.clients.producer.ProducerConfig.TRANSACTIONAL_ID_CONFIG;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;

/**
 * A producer that outlives its task: making one costs more than writing a small batch. One task has
 * it at a time; whoever had an error with it closes it.
 */
public final class PooledProducer {
    // Long against the pause between batches, short against the days after which a broker forgets
    // a transactional id.
    private static final long IDLE_LIMIT_MS = 300_000;
    private static final long SWEEP_EVERY_MS = 30_000;
    private static final Duration LAST_SENDS = Duration.ofSeconds(10);
    // As long as Kafka's producers wait for an answer unless they are told otherwise.
    private static final Duration LAST_ANSWERS = Duration.ofSeconds(30);
    private static final Map<Key, Deque<PooledProducer>> IDLE = new HashMap<>();

    /** One configuration, or one transactional id, in one run. */
    private record Key(Object of, String run) {}

    static {
        Thread sweeper = new Thread(PooledProducer::sweep, "penstock-idle-producers");
        sweeper.setDaemon(true);
        sweeper.start();
        // Rows written with the guarantee `none` may still be on their way.
        Runtime.getRuntime().addShutdownHook(
                new Thread(() -> closeIdle(Long.MAX_VALUE), "penstock-last-sends"));
    }

    private final KafkaProducer<byte[], byte[]> client;
    /** What it committed last; null until it was prepared for transactions. */
    Marker marker;
    private final Key key;
    private long idleSince;

    private PooledProducer(Key key, Map<String, Object> config) {
        this.key = key;
        this.client = new KafkaProducer<>(config);
    }

    /** A producer of this configuration that nobody has; those of another run are left alone. */
    public static PooledProducer take(HashMap<String, Object> config, String run) {
        Key key = new Key(config.getOrDefault(TRANSACTIONAL_ID_CONFIG, config), run);
        synchronized (IDLE) {
            Deque<PooledProducer> idle = IDLE.get(key);
            if (idle != null && !idle.isEmpty()) {
                return idle.pop();
            }
        }
        return new PooledProducer(key, config);
    }

    /** The client, for the task that has taken it. */
    public KafkaProducer<byte[], byte[]> client() {
        return client;
    }

    /** All is well with it: another task may have it. */
    public void giveBack() {
        synchronized (IDLE) {
            idleSince = System.currentTimeMillis();
            IDLE.computeIfAbsent(key, unused -> new ArrayDeque<>()).push(this);
        }
    }

    /** Nobody uses it again. */
    public void discard() {
        client.close(Duration.ZERO);
    }

    /** Nobody uses it again; what it was given has arrived by then, or never will. */
    public void discardSent() {
        // A thread that is to stop would not wait for the sends.
        boolean stopped = Thread.interrupted();
        try {
            client.close(LAST_ANSWERS);
        } finally {
            if (stopped) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static void sweep() {
        while (true) {
            try {
                Thread.sleep(SWEEP_EVERY_MS);
            } catch (InterruptedException end) {
                return;
            }
            closeIdle(System.currentTimeMillis() - IDLE_LIMIT_MS);
        }
    }

    private static void closeIdle(long since) {
        Deque<PooledProducer> old = new ArrayDeque<>();
        synchronized (IDLE) {
            for (Iterator<Deque<PooledProducer>> all = IDLE.values().iterator(); all.hasNext();) {
                Deque<PooledProducer> idle = all.next();
                while (!idle.isEmpty() && idle.peekLast().idleSince <= since) {
                    old.add(idle.pollLast());
                }
                if (idle.isEmpty()) {
                    all.remove();
                }
            }
        }
        old.forEach(producer -> producer.client.close(LAST_SENDS));
    }
}
