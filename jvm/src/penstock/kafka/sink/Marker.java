package penstock.kafka.sink;

import java.io.Serializable;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;

/**
 * The last batch that a task committed, kept as an offset of a consumer group: it becomes visible
 * together with the rows of the batch, or not at all.
 *
 * @param next the batch after it
 * @param query whose batches are counted; a job that was reset counts anew
 * @param tasks how many tasks that batch had
 */
record Marker(long next, String query, int tasks, String layout) implements Serializable {
    private static final int PARTS = 3;

    static Marker of(OffsetAndMetadata kept) {
        String[] parts = kept.metadata().split(" ", PARTS);
        return parts.length == PARTS && parts[1].matches("\\d{1,9}")
                ? new Marker(kept.offset(), parts[0], Integer.parseInt(parts[1]), parts[2])
                : new Marker(kept.offset(), "", 0, "");
    }

    OffsetAndMetadata kept() {
        return new OffsetAndMetadata(next, query + " " + tasks + " " + layout);
    }

    /** Whether the rows of this batch are in their topics already. */
    boolean covers(String ofQuery, long batch) {
        return query.equals(ofQuery) && next == batch + 1;
    }

    /** Whether later batches are there already: the checkpoint is older than the topics. */
    boolean isAhead(String ofQuery, long batch) {
        return query.equals(ofQuery) && next > batch + 1;
    }
}
