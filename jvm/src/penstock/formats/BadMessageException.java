package penstock.formats;

import java.io.Serializable;
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

    private final Place place;
    private final Cause cause;
    private final String skip;
    private final transient Rest rest;

    /** Where the message stands in Kafka; any part may be null. */
    private record Place(String topic, Integer partition, Long offset) implements Serializable {
        static final Place UNKNOWN = new Place(null, null, null);
    }

    /** What is wrong with which field, and how the message begins. */
    private record Cause(String field, String reason, String excerpt) implements Serializable { }

    /** What can be read of it all the same, null if nothing, and how many rows cannot. */
    private record Rest(ArrayData rows, int broken) {
        static final Rest NONE = new Rest(null, 1);
    }

    private BadMessageException(Place place, Cause cause, String skip, Rest rest) {
        super(text(place, cause, skip), null, false, false);
        this.place = place;
        this.cause = cause;
        this.skip = skip;
        this.rest = rest;
    }

    /** A message whose place in Kafka is not known here; {@code field} may be empty. */
    public static BadMessageException of(String field, String reason, byte[] message) {
        Cause cause = new Cause(field, reason, ErrorText.excerpt(message));
        return new BadMessageException(Place.UNKNOWN, cause, "", Rest.NONE);
    }

    /** The same error with the place of the message; any part may be null. */
    public BadMessageException at(Object topic, Integer partition, Long offset) {
        String name = topic == null ? null : topic.toString();
        return new BadMessageException(new Place(name, partition, offset), cause, skip, rest);
    }

    /** The same error with the option by which such messages are skipped; it may be empty. */
    BadMessageException skippedBy(String option) {
        return new BadMessageException(place, cause, option, rest);
    }

    /** The same error of a message of which so many rows are broken, and these are not. */
    public BadMessageException beside(ArrayData rows, int broken) {
        return new BadMessageException(place, cause, skip, new Rest(rows, broken));
    }

    private static String text(Place place, Cause cause, String skip) {
        return TAG + " topic=" + ErrorText.word(place.topic)
                + " partition=" + ErrorText.word(place.partition)
                + " offset=" + ErrorText.word(place.offset)
                + " field=" + ErrorText.word(cause.field)
                + (skip.isEmpty() ? "" : " skip=" + skip)
                + " reason=" + ErrorText.line(cause.reason) + " message=" + cause.excerpt;
    }

    /** The topic, or null. */
    public String getTopic() {
        return place.topic;
    }

    /** The partition, or null. */
    public Integer getPartition() {
        return place.partition;
    }

    /** The offset, or null. */
    public Long getOffset() {
        return place.offset;
    }

    /** The dotted path of the field, empty if the message as a whole is wrong. */
    public String getField() {
        return cause.field;
    }

    /** What is wrong, without the field and the message. */
    public String getReason() {
        return cause.reason;
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
