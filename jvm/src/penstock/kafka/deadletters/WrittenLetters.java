package penstock.kafka.deadletters;

import java.lang.ref.SoftReference;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.header.Headers;

/**
 * The letters of one query for one table that are in their topic already, shared by the tasks of a
 * JVM: the first task of a batch reads what has come since the last batch looked, the others read
 * nothing.
 */
final class WrittenLetters {
    private static final Duration POLL = Duration.ofMillis(500);
    // Held softly: nobody says when a query has ended that may ask again.
    private static final Map<Key, SoftReference<WrittenLetters>> SHARED = new HashMap<>();

    private record Key(LetterSpec spec, String checkpoint, SortedMap<Integer, Long> from) {}

    private final Key key;
    private final Set<ByteBuffer> found = ConcurrentHashMap.newKeySet();
    private final Map<TopicPartition, Long> read = new HashMap<>();
    private Uuid topicId;
    private String lastBatch;

    private WrittenLetters(Key key) {
        this.key = key;
    }

    /**
     * Those that are there for a task of a batch to know.
     *
     * @param again whether the task was tried before: what its batch knows is too old for it
     */
    static WrittenLetters of(LetterSpec spec, String checkpoint, Earlier earlier, boolean again) {
        WrittenLetters letters = shared(new Key(spec, checkpoint, earlier.from()));
        letters.look(earlier.batch(), again);
        return letters;
    }

    private static WrittenLetters shared(Key key) {
        synchronized (SHARED) {
            SHARED.values().removeIf(held -> held.get() == null);
            SoftReference<WrittenLetters> held = SHARED.get(key);
            WrittenLetters known = held == null ? null : held.get();
            if (known == null) {
                known = new WrittenLetters(key);
                SHARED.put(key, new SoftReference<>(known));
            }
            return known;
        }
    }

    private synchronized void look(String batch, boolean again) {
        if (batch.equals(lastBatch) && !again) {
            return;
        }
        Uuid id = topicId();
        if (id.equals(Uuid.ZERO_UUID) || !id.equals(topicId)) {
            forget();
        }
        topicId = id;
        try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(key.spec.consumer())) {
            readOn(consumer);
        }
        lastBatch = batch;
    }

    /** A topic made anew has another; one that is not there, or is of old brokers, has none. */
    private Uuid topicId() {
        String topic = key.spec.topic();
        try (Admin admin = Admin.create(key.spec.admin())) {
            var answer = admin.describeTopics(List.of(topic)).topicNameValues().get(topic);
            return answer.get().topicId();
        } catch (InterruptedException stopped) {
            throw new InterruptException(stopped);
        } catch (ExecutionException failed) {
            if (failed.getCause() instanceof UnknownTopicOrPartitionException) {
                return Uuid.ZERO_UUID;
            }
            throw new KafkaException(failed.getCause());
        }
    }

    private void forget() {
        found.clear();
        read.clear();
    }

    /** Up to the present end of the topic. */
    private void readOn(KafkaConsumer<byte[], byte[]> consumer) {
        List<TopicPartition> partitions = consumer.partitionsFor(key.spec.topic()).stream()
                .map(info -> new TopicPartition(info.topic(), info.partition())).toList();
        consumer.assign(partitions);
        Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
        Map<TopicPartition, Long> begins = consumer.beginningOffsets(partitions);
        partitions.forEach(partition -> {
            long known = read.getOrDefault(
                    partition, key.from.getOrDefault(partition.partition(), 0L));
            // Behind the end it was of a topic of this name that there was before.
            boolean holds = known <= ends.get(partition);
            consumer.seek(partition, Math.max(holds ? known : 0, begins.get(partition)));
        });
        while (ends.entrySet().stream()
                .anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
            ConsumerRecords<byte[], byte[]> letters = consumer.poll(POLL);
            letters.forEach(this::note);
            if (letters.isEmpty()) {
                // Polling waits in silence for a broker that is gone; this does not.
                consumer.endOffsets(partitions);
            }
        }
        read.putAll(ends);
    }

    private void note(ConsumerRecord<byte[], byte[]> letter) {
        Headers headers = letter.headers();
        if (Letter.text(headers, Letter.CHECKPOINT).equals(key.checkpoint)
                && Letter.text(headers, Letter.TABLE).equals(key.spec.table())
                && Letter.text(headers, Letter.JOB).equals(key.spec.job())
                && Letter.text(headers, Letter.QUERY).equals(key.spec.query())) {
            found.add(id(Letter.text(headers, Letter.TOPIC), Letter.text(headers, Letter.PARTITION),
                    Letter.text(headers, Letter.OFFSET), letter));
        }
    }

    /** Whether there is a letter of this message. */
    boolean have(ConsumerRecord<byte[], byte[]> message) {
        return found.contains(id(message.topic(), String.valueOf(message.partition()),
                String.valueOf(message.offset()), message));
    }

    /** A message by its place, and by its bytes: a topic that was made anew has others there. */
    private static ByteBuffer id(
            String topic, String partition, String offset, ConsumerRecord<byte[], byte[]> message) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            String place = String.join("/", topic, partition, offset);
            add(digest, place.getBytes(StandardCharsets.UTF_8));
            add(digest, message.key());
            add(digest, message.value());
            return ByteBuffer.wrap(digest.digest());
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private static void add(MessageDigest digest, byte[] bytes) {
        int length = bytes == null ? -1 : bytes.length;
        digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(0, length));
        digest.update(bytes == null ? new byte[0] : bytes);
    }
}
