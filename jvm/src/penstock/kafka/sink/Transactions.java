package penstock.kafka.sink;

import java.io.Serializable;
import java.util.Map;
import org.apache.kafka.common.TopicPartition;

/**
 * The names under which a sink's tasks write exactly once.
 *
 * @param base the same for every run of a query and for no other query: transactional ids and the
 *     groups of the markers begin with it
 * @param query whose batches are counted: the id in Spark's checkpoint, or that of a batch's run
 * @param layout how rows come to tasks, as far as options say it
 * @param run this start of the query; producers of an earlier one are not used again
 */
record Transactions(String base, String query, String layout, String run, String markerTopic)
        implements Serializable {
    static Transactions of(Map<String, String> options, String query) {
        return new Transactions(
                options.get("prefix"),
                options.getOrDefault("query", query),
                options.getOrDefault("layout", ""),
                options.get("run"),
                options.get("markerTopic"));
    }

    /** The transactional id of a task, and the group that keeps its marker. */
    String id(int task) {
        return base + "-" + task;
    }

    /** A group's offset belongs to a partition, and that must be there: the first one always is. */
    TopicPartition place() {
        return new TopicPartition(markerTopic, 0);
    }
}
