package penstock.kafka.sink;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListConsumerGroupOffsetsOptions;
import org.apache.kafka.clients.admin.ListConsumerGroupOffsetsSpec;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/** What earlier runs of a query left in the cluster: transactions that hang, and markers. */
final class Recovery {
    // Brokers forget the offsets of a group without members, after days.
    private static final long ANNOUNCE_EVERY_MS = 3_600_000;

    /** Run → what the cluster was told of it; on the driver. */
    private static final Map<String, Announced> ANNOUNCED = new ConcurrentHashMap<>();

    private record Announced(int tasks, long atMs) {
        boolean stillHolds(int now) {
            return tasks >= now && System.currentTimeMillis() - atMs < ANNOUNCE_EVERY_MS;
        }
    }

    private Recovery() {}

    /**
     * Called on the driver before the tasks of a batch begin.
     *
     * <ol>
     *   <li>Ask how many tasks there ever were; the group named like the query keeps the number.
     *   <li>Fence them all: what they left open is aborted, also of tasks there are none of now.
     *   <li>Read the markers.
     *   <li>Announce this batch's tasks before any of them opens a transaction.
     * </ol>
     *
     * <p>1, 2 and 3 are for the first batch of a run only. A crash after any step changes nothing
     * but the number, which may be too high.
     *
     * @return the markers of this query's batches that had other tasks than it has now
     */
    static List<Marker> begin(SinkSpec spec, int tasks) {
        String run = spec.transactions().run();
        Announced announced = ANNOUNCED.get(run);
        if (announced != null && announced.stillHolds(tasks)) {
            return List.of();
        }
        try (Admin admin = Admin.create(properties(spec))) {
            int before = announced != null ? announced.tasks() : count(admin, spec);
            List<Marker> others = List.of();
            if (announced == null && before > 0) {
                fence(admin, spec, before);
                others = others(admin, spec, before, tasks);
            }
            int most = Math.max(before, tasks);
            announce(admin, spec, most);
            ANNOUNCED.put(run, new Announced(most, System.currentTimeMillis()));
            return others;
        }
    }

    /** What a task committed last; its producer has been fenced off before this is asked. */
    static Marker marker(SinkSpec spec, int task) {
        try (Admin admin = Admin.create(properties(spec))) {
            String group = spec.transactions().id(task);
            OffsetAndMetadata kept = read(admin, spec, List.of(group)).get(group);
            return kept == null ? new Marker(0, "", 0, "") : Marker.of(kept);
        }
    }

    private static int count(Admin admin, SinkSpec spec) {
        String group = spec.transactions().base();
        OffsetAndMetadata kept = read(admin, spec, List.of(group)).get(group);
        return kept == null ? 0 : (int) kept.offset();
    }

    private static void fence(Admin admin, SinkSpec spec, int tasks) {
        List<String> ids = ids(spec, tasks);
        get(spec, admin.fenceProducers(ids).all());
    }

    private static List<Marker> others(Admin admin, SinkSpec spec, int before, int tasks) {
        Transactions names = spec.transactions();
        List<Marker> found = new ArrayList<>();
        for (OffsetAndMetadata kept : read(admin, spec, ids(spec, before)).values()) {
            Marker marker = Marker.of(kept);
            boolean same = marker.tasks() == tasks && marker.layout().equals(names.layout());
            if (marker.query().equals(names.query()) && !same) {
                found.add(marker);
            }
        }
        return found;
    }

    private static void announce(Admin admin, SinkSpec spec, int tasks) {
        Transactions names = spec.transactions();
        Map<TopicPartition, OffsetAndMetadata> count =
                Map.of(names.place(), new OffsetAndMetadata(tasks));
        try {
            get(spec, admin.alterConsumerGroupOffsets(names.base(), count).all());
        } catch (UnknownTopicOrPartitionException missing) {
            SinkTopics.await(spec.client(), names.markerTopic());
            get(spec, admin.alterConsumerGroupOffsets(names.base(), count).all());
        }
    }

    /** The committed offsets of these groups; waits for transactions that are being ended. */
    private static Map<String, OffsetAndMetadata> read(
            Admin admin, SinkSpec spec, List<String> groups) {
        TopicPartition place = spec.transactions().place();
        Map<String, ListConsumerGroupOffsetsSpec> asked = new HashMap<>();
        for (String group : groups) {
            asked.put(group, new ListConsumerGroupOffsetsSpec().topicPartitions(List.of(place)));
        }
        ListConsumerGroupOffsetsOptions options =
                new ListConsumerGroupOffsetsOptions().requireStable(true);
        Map<String, OffsetAndMetadata> found = new HashMap<>();
        get(spec, admin.listConsumerGroupOffsets(asked, options).all()).forEach((group, offsets) -> {
            if (offsets.get(place) != null) {
                found.put(group, offsets.get(place));
            }
        });
        return found;
    }

    private static List<String> ids(SinkSpec spec, int tasks) {
        return IntStream.range(0, tasks).mapToObj(spec.transactions()::id).toList();
    }

    private static Map<String, Object> properties(SinkSpec spec) {
        return SinkTopics.adminProperties(spec.client());
    }

    private static <T> T get(SinkSpec spec, KafkaFuture<T> answer) {
        try {
            return answer.get();
        } catch (InterruptedException stopped) {
            throw new InterruptException(stopped);
        } catch (ExecutionException failed) {
            if (failed.getCause() instanceof UnknownTopicOrPartitionException missing) {
                throw missing;
            }
            throw SinkException.sending(spec.table(), failed.getCause());
        }
    }
}
