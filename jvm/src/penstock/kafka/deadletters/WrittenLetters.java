package penstock.kafka.deadletters;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Headers;

/** The letters of one query for one table that are in their topic already. */
final class WrittenLetters {
    private static final Duration POLL = Duration.ofMillis(500);

    /** A message by its place, and by its bytes: a topic that was made anew has other ones there. */
    private record Id(String topic, String partition, String offset, ByteBuffer bytes) {}

    private final Set<Id> found = new HashSet<>();
    private final LetterSpec spec;
    private final String checkpoint;

    /** Reads the topic up to its present end. */
    WrittenLetters(LetterSpec spec, String checkpoint, SortedMap<Integer, Long> from) {
        this.spec = spec;
        this.checkpoint = checkpoint;
        try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(spec.consumer())) {
            List<TopicPartition> partitions = consumer.partitionsFor(spec.topic()).stream()
                    .map(info -> new TopicPartition(info.topic(), info.partition())).toList();
            consumer.assign(partitions);
            Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
            Map<TopicPartition, Long> begins = consumer.beginningOffsets(partitions);
            partitions.forEach(partition -> {
                long known = from.getOrDefault(partition.partition(), 0L);
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
        }
    }

    private void note(ConsumerRecord<byte[], byte[]> letter) {
        Headers headers = letter.headers();
        if (Letter.text(headers, Letter.CHECKPOINT).equals(checkpoint)
                && Letter.text(headers, Letter.TABLE).equals(spec.table())
                && Letter.text(headers, Letter.JOB).equals(spec.job())
                && Letter.text(headers, Letter.QUERY).equals(spec.query())) {
            found.add(new Id(Letter.text(headers, Letter.TOPIC),
                    Letter.text(headers, Letter.PARTITION), Letter.text(headers, Letter.OFFSET),
                    digest(letter.key(), letter.value())));
        }
    }

    /** Whether there is a letter of this message. */
    boolean have(ConsumerRecord<byte[], byte[]> message) {
        return found.contains(new Id(message.topic(), String.valueOf(message.partition()),
                String.valueOf(message.offset()), digest(message.key(), message.value())));
    }

    private static ByteBuffer digest(byte[] key, byte[] value) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(0, length(key)));
            digest.update(key == null ? new byte[0] : key);
            digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(0, length(value)));
            digest.update(value == null ? new byte[0] : value);
            return ByteBuffer.wrap(digest.digest());
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private static int length(byte[] bytes) {
        return bytes == null ? -1 : bytes.length;
    }
}
