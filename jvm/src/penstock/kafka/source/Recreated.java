package penstock.kafka.source;

import java.util.Collection;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Notices that a topic was deleted and made anew: offsets of the old one mean nothing in it, though
 * they may well be there. Either that is an error, or the new topic is read from its beginning.
 */
final class Recreated {
    private static final Logger LOG = LoggerFactory.getLogger(Recreated.class);

    private final Cluster cluster;
    private final boolean fails;
    private final SortedMap<String, String> ids = new TreeMap<>();
    private boolean asked;

    Recreated(Cluster cluster, boolean fails) {
        this.cluster = cluster;
        this.fails = fails;
    }

    /** The ids that are known. */
    SortedMap<String, String> ids() {
        return ids;
    }

    /** Whether the cluster was asked at all in this run. */
    boolean wasAsked() {
        return asked;
    }

    /** Ask; what is not answered now stays as it was. */
    void look(Collection<String> topics) {
        ids.putAll(cluster.ids(topics));
        asked = true;
    }

    /** Where to go on from an offset: what it says of topics that are no longer the same is gone. */
    TopicOffset start(TopicOffset start) {
        Set<String> gone = new TreeSet<>();
        start.ids().forEach((topic, id) -> {
            if (!ids.computeIfAbsent(topic, unknown -> id).equals(id)) {
                gone.add(topic);
            }
        });
        if (!gone.isEmpty() && fails) {
            throw new RecreatedTopicException(gone.iterator().next());
        }
        gone.forEach(topic -> LOG.warn("Topic {} was deleted and created again: it is read from its"
                + " beginning; what the old one had left is lost", topic));
        return start.without(gone);
    }

    /** The end of a batch that may be of an earlier run: its topics may be gone by now. */
    TopicOffset end(TopicOffset end) {
        if (!asked) {
            look(end.topics());
        }
        return start(end);
    }
}
