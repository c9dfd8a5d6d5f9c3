package penstock.kafka.source;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
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

    private final TopicIds cluster;
    private final boolean fails;
    private SortedMap<String, String> ids = new TreeMap<>();

    Recreated(TopicIds cluster, boolean fails) {
        this.cluster = cluster;
        this.fails = fails;
    }

    /** The ids that were found last. */
    SortedMap<String, String> ids() {
        return ids;
    }

    /** Ask again; what is not answered now stays as it was. */
    void look(Collection<String> topics) {
        SortedMap<String, String> found = new TreeMap<>(ids);
        found.putAll(cluster.of(topics));
        ids = found;
    }

    /** Where to go on from an offset: what it says of topics that are no longer the same is gone. */
    TopicOffset start(TopicOffset start) {
        Set<String> gone = differing(start.ids(), ids);
        if (!gone.isEmpty() && fails) {
            throw new RecreatedTopicException(gone.iterator().next());
        }
        gone.forEach(topic -> LOG.warn("Topic {} was deleted and created again: it is read from its"
                + " beginning; what the old one had left is lost", topic));
        return start.without(gone);
    }

    /** The end of a batch that may be of an earlier run: its topics may be gone by now. */
    TopicOffset end(TopicOffset end) {
        if (!ids.entrySet().containsAll(end.ids().entrySet())) {
            look(end.topics());
        }
        return start(end);
    }

    static Set<String> differing(Map<String, String> before, Map<String, String> now) {
        Set<String> found = new TreeSet<>();
        before.forEach((topic, id) -> {
            if (!id.equals(now.getOrDefault(topic, id))) {
                found.add(topic);
            }
        });
        return found;
    }
}
