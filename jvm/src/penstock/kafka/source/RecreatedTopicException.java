package penstock.kafka.source;

/** Its text is one line: {@code PENSTOCK_TOPIC_RECREATED topic=…}. */
public final class RecreatedTopicException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    RecreatedTopicException(String topic) {
        super("PENSTOCK_TOPIC_RECREATED topic=" + topic);
    }
}
