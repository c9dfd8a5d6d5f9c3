package penstock.formats;

import org.apache.spark.sql.catalyst.util.ArrayData;

/**
 * A Kafka message that its table's format cannot read. Its text is one line: {@code
 * PENSTOCK_BAD_MESSAGE topic=… partition=… offset=… field=…[ skip=…] reason=… message=…}. It has no
 * stack trace, for where messages are left out it may be thrown often.
 */
public final class BadMessageException extends RuntimeException {
    /** The first word of the text, by which it is found inside Spark's own exceptions. */
    public static final String TAG = "PENSTOCK_BAD_MESSAGE";

    private static final long serialVersionUID = 1L;

    private final String topic;
    private final Integer partition;
    private final Long offset;
    private final String field;
    private final String skip;
    private final String reason;
    private final String excerpt;
    private final transient Rest rest;

    /** What can be read of it all the same, null if nothing, and how many rows cannot. */
    private record Rest(ArrayData rows, int broken) {
        static final Rest NONE = new Rest(null, 1);
    }

    private BadMessageException(String topic, Integer partition, Long offset, String field,
            String skip, String reason, String excerpt, Rest rest) {
        super(text(topic, partition, offset, field, skip, reason, excerpt), null, false, false);
        this.topic = topic;
        this.partition = partition;
        this.offset = offset;
        this.field = field;
        this.skip = skip;
        this.reason = reason;
        this.excerpt = excerpt;
        this.rest = rest;
    }

    /** A message whose place in Kafka is not known here; {@code field} may be empty. */
    public static BadMessageException of(String field, String reason, byte[] message) {
        String excerpt = ErrorText.excerpt(message);
        return new BadMessageException(null, null, null, field, "", reason, excerpt, Rest.NONE);
    }

    /** The same error with the place of the message; any part may be null. */
    public BadMessageException at(Object topic, Integer partition, Long offset) {
        String name = topic == null ? null : topic.toString();
        return new BadMessageException(name, partition, offset, field, skip, reason, excerpt, rest);
    }

    /** The same error with the option by which such messages are skipped; it may be empty. */
    BadMessageException skippedBy(String option) {
        return new BadMessageException(topic, partition, offset, field, option, reason, excerpt, rest);
    }

    /** The same error of a message of which so many rows are broken, and these are not. */
    public BadMessageException beside(ArrayData rows, int broken) {
        return new BadMessageException(
                topic, partition, offset, field, skip, reason, excerpt, new Rest(rows, broken));
    }

    private static String text(String topic, Integer partition, Long offset, String field,
            String skip, String reason, String excerpt) {
        return TAG + " topic=" + ErrorText.word(topic) + " partition=" + ErrorText.word(partition)
                + " offset=" + ErrorText.word(offset) + " field=" + ErrorText.word(field)
                + (skip.isEmpty() ? "" : " skip=" + skip) + " reason=" + ErrorText.line(reason) + " message=" + excerpt;
    }

    /** The topic, or null. */
    public String getTopic() {
        return topic;
    }

    /** The partition, or null. */
    public Integer getPartition() {
        return partition;
    }

    /** The offset, or null. */
    public Long getOffset() {
        return offset;
    }

    /** The dotted path of the field, empty if the message as a whole is wrong. */
    public String getField() {
        return field;
    }

    /** What is wrong, without the field and the message. */
    public String getReason() {
        return reason;
    }

    /** The rows that are there where broken ones are left out, null if none. */
    public ArrayData getRows() {
        return rest.rows();
    }

    /** How many rows are broken: one where the message is a row, or cannot be told apart. */
    public int getBroken() {
        return rest.broken();
    }
}
