package penstock.formats;

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

    private BadMessageException(String topic, Integer partition, Long offset, String field,
            String skip, String reason, String excerpt) {
        super(text(topic, partition, offset, field, skip, reason, excerpt), null, false, false);
        this.topic = topic;
        this.partition = partition;
        this.offset = offset;
        this.field = field;
        this.skip = skip;
        this.reason = reason;
        this.excerpt = excerpt;
    }

    /** A message whose place in Kafka is not known here; {@code field} may be empty. */
    public static BadMessageException of(String field, String reason, byte[] message) {
        String excerpt = ErrorText.excerpt(message);
        return new BadMessageException(null, null, null, field, "", reason, excerpt);
    }

    /** The same error with the place of the message; any part may be null. */
    public BadMessageException at(Object topic, Integer partition, Long offset) {
        String name = topic == null ? null : topic.toString();
        return new BadMessageException(name, partition, offset, field, skip, reason, excerpt);
    }

    /** The same error with the option by which such messages are skipped; it may be empty. */
    BadMessageException skippedBy(String option) {
        return new BadMessageException(topic, partition, offset, field, option, reason, excerpt);
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

    /** The first bytes of the message, as text on one line. */
    public String getExcerpt() {
        return excerpt;
    }
}
