package penstock.kafka.source;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.InterruptException;

/** Asks the cluster for the ids of topics: one that was deleted and made anew has another. */
final class TopicIds implements AutoCloseable {
    private static final String PREFIX = "kafka.";

    private final CompletableFuture<Admin> admin;

    /**
     * Takes the client's properties out of the options of Spark's source; the client is made while
     * Spark plans.
     */
    TopicIds(Map<String, String> options) {
        Map<String, Object> properties = new HashMap<>();
        options.forEach((key, value) -> {
            if (key.startsWith(PREFIX)) {
                properties.put(key.substring(PREFIX.length()), value);
            }
        });
        ClassLoader loader = Thread.currentThread().getContextClassLoader();
        admin = CompletableFuture.supplyAsync(() -> {
            Thread.currentThread().setContextClassLoader(loader);
            return Admin.create(properties);
        });
    }

    /** Topic → id; without those that are not there, and those of brokers that give no ids. */
    SortedMap<String, String> of(Collection<String> topics) {
        SortedMap<String, String> found = new TreeMap<>();
        admin.join().describeTopics(topics).topicNameValues().forEach((topic, answer) -> {
            Uuid id = id(answer);
            if (!id.equals(Uuid.ZERO_UUID)) {
                found.put(topic, id.toString());
            }
        });
        return found;
    }

    /** What is wrong with a topic is told where its offsets are asked for. */
    private static Uuid id(KafkaFuture<TopicDescription> answer) {
        try {
            return answer.get().topicId();
        } catch (InterruptedException stopped) {
            throw new InterruptException(stopped);
        } catch (ExecutionException unknown) {
            return Uuid.ZERO_UUID;
        }
    }

    @Override
    public void close() {
        admin.thenAccept(Admin::close);
    }
}
