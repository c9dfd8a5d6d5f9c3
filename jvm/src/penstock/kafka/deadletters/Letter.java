package penstock.kafka.deadletters;

import java.nio.charset.StandardCharsets;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import penstock.formats.BadMessageException;

/** A message that cannot be read, with headers that say why, where it stood and at what time. */
final class Letter {
    static final String TABLE = "penstock.table";
    static final String JOB = "penstock.job";
    static final String QUERY = "penstock.query";
    static final String CHECKPOINT = "penstock.checkpoint";
    static final String TOPIC = "penstock.topic";
    static final String PARTITION = "penstock.partition";
    static final String OFFSET = "penstock.offset";
    private static final String TIMESTAMP = "penstock.timestamp";
    private static final String FIELD = "penstock.field";
    private static final String ERROR = "penstock.error";

    private Letter() {}

    /** The letter of a message; {@code checkpoint} is the id of the query that has left it out. */
    static ProducerRecord<byte[], byte[]> of(ConsumerRecord<byte[], byte[]> message,
            BadMessageException error, LetterSpec spec, String checkpoint) {
        // Its time is that of the letter: by the message's own, retention could take it at once.
        ProducerRecord<byte[], byte[]> letter = new ProducerRecord<>(spec.topic(), null, null,
                message.key(), message.value(), message.headers());
        Headers headers = letter.headers();
        add(headers, ERROR, error.getReason());
        add(headers, FIELD, error.getField());
        add(headers, TOPIC, message.topic());
        add(headers, PARTITION, message.partition());
        add(headers, OFFSET, message.offset());
        add(headers, TIMESTAMP, message.timestamp());
        add(headers, TABLE, spec.table());
        add(headers, JOB, spec.job());
        add(headers, QUERY, spec.query());
        add(headers, CHECKPOINT, checkpoint);
        return letter;
    }

    private static void add(Headers headers, String name, Object value) {
        headers.add(name, String.valueOf(value).getBytes(StandardCharsets.UTF_8));
    }

    /** A header by its name, empty if there is none; a letter's own come last. */
    static String text(Headers headers, String name) {
        Header found = headers.lastHeader(name);
        return found == null || found.value() == null
                ? "" : new String(found.value(), StandardCharsets.UTF_8);
    }
}
