package penstock.kafka.admin;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConsumerGroupOffsetsOptions;
import org.apache.kafka.clients.admin.CreateTopicsOptions;
import org.apache.kafka.clients.admin.DeleteTopicsOptions;
import org.apache.kafka.clients.admin.DescribeClusterOptions;
import org.apache.kafka.clients.admin.DescribeConfigsOptions;
import org.apache.kafka.clients.admin.DescribeTopicsOptions;
import org.apache.kafka.clients.admin.ListConsumerGroupOffsetsOptions;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.ListTopicsOptions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/** The questions by their names: what is asked and answered as JSON, what Kafka is asked for it. */
final class Questions {
    private static final long EARLIEST = -2;
    private static final long LATEST = -1;
    private static final TypeReference<Map<String, String>> TEXTS = new TypeReference<>() {};

    private interface Question {
        JsonNode answer(Admin admin, JsonNode asked, int timeoutMs) throws Exception;
    }

    private final ObjectMapper json;
    private final Clients clients = new Clients();
    private final Map<String, Question> byName =
            Map.of(
                    "cluster", this::cluster,
                    "rights", this::rights,
                    "settings", this::settings,
                    "create_topic", this::createTopic,
                    "delete_topic", this::deleteTopic,
                    "offsets", this::offsets,
                    "committed", this::committed,
                    "commit", this::commit);

    Questions(ObjectMapper json) {
        this.json = json;
    }

    JsonNode answer(JsonNode asked) throws Exception {
        int timeoutMs = asked.get("timeout_ms").asInt();
        Admin admin = clients.of(json.convertValue(asked.get("properties"), TEXTS), timeoutMs);
        return byName.get(asked.get("question").asText()).answer(admin, asked, timeoutMs);
    }

    private JsonNode cluster(Admin admin, JsonNode asked, int timeoutMs) throws Exception {
        var cluster = admin.describeCluster(new DescribeClusterOptions().timeoutMs(timeoutMs));
        ObjectNode answer = json.createObjectNode().put("id", cluster.clusterId().get());
        ArrayNode brokers = answer.putArray("brokers");
        for (Node node : cluster.nodes().get()) {
            brokers.addArray().add(node.host()).add(node.port());
        }
        ObjectNode topics = answer.putObject("topics");
        var listed = new ListTopicsOptions().listInternal(true).timeoutMs(timeoutMs);
        var options = new DescribeTopicsOptions().timeoutMs(timeoutMs);
        var described = admin.describeTopics(admin.listTopics(listed).names().get(), options);
        for (var topic : described.topicNameValues().entrySet()) {
            unlessGone(topic.getValue())
                    .ifPresent(found -> topics.put(topic.getKey(), found.partitions().size()));
        }
        return answer;
    }

    /** Listed a moment ago, it may have been deleted since. */
    private static Optional<TopicDescription> unlessGone(KafkaFuture<TopicDescription> topic)
            throws ExecutionException, InterruptedException {
        try {
            return Optional.of(topic.get());
        } catch (ExecutionException failure) {
            if (failure.getCause() instanceof UnknownTopicOrPartitionException) {
                return Optional.empty();
            }
            throw failure;
        }
    }

    private JsonNode rights(Admin admin, JsonNode asked, int timeoutMs) throws Exception {
        var options = new DescribeTopicsOptions().includeAuthorizedOperations(true);
        String topic = asked.get("topic").asText();
        var described = admin.describeTopics(List.of(topic), options.timeoutMs(timeoutMs));
        var operations = described.topicNameValues().get(topic).get().authorizedOperations();
        ArrayNode answer = json.createArrayNode();
        if (operations != null) {
            operations.stream().map(AclOperation::name).sorted().forEach(answer::add);
        }
        return answer;
    }

    /** Of a topic if one is named, else of a broker. */
    private JsonNode settings(Admin admin, JsonNode asked, int timeoutMs) throws Exception {
        ConfigResource resource;
        if (asked.has("topic")) {
            resource = new ConfigResource(ConfigResource.Type.TOPIC, asked.get("topic").asText());
        } else {
            var options = new DescribeClusterOptions().timeoutMs(timeoutMs);
            Node broker = admin.describeCluster(options).nodes().get().iterator().next();
            resource = new ConfigResource(ConfigResource.Type.BROKER, broker.idString());
        }
        var options = new DescribeConfigsOptions().timeoutMs(timeoutMs);
        ObjectNode answer = json.createObjectNode();
        admin.describeConfigs(List.of(resource), options).values().get(resource).get().entries()
                .stream().filter(entry -> entry.value() != null)
                .forEach(entry -> answer.put(entry.name(), entry.value()));
        return answer;
    }

    private JsonNode createTopic(Admin admin, JsonNode asked, int timeoutMs) throws Exception {
        var partitions = Optional.of(asked.get("partitions").asInt());
        NewTopic topic = new NewTopic(asked.get("topic").asText(), partitions, Optional.empty());
        topic.configs(json.convertValue(asked.get("config"), TEXTS));
        var options = new CreateTopicsOptions().timeoutMs(timeoutMs);
        admin.createTopics(List.of(topic), options).all().get();
        return json.nullNode();
    }

    private JsonNode deleteTopic(Admin admin, JsonNode asked, int timeoutMs) throws Exception {
        var options = new DeleteTopicsOptions().timeoutMs(timeoutMs);
        admin.deleteTopics(List.of(asked.get("topic").asText()), options).all().get();
        return json.nullNode();
    }

    private JsonNode offsets(Admin admin, JsonNode asked, int timeoutMs) throws Exception {
        long at = asked.get("at").asLong();
        OffsetSpec spec =
                at == EARLIEST
                        ? OffsetSpec.earliest()
                        : at == LATEST ? OffsetSpec.latest() : OffsetSpec.forTimestamp(at);
        Map<TopicPartition, OffsetSpec> wanted = new HashMap<>();
        asked.get("partitions").forEach(where -> wanted.put(partition(where), spec));
        var options = new ListOffsetsOptions().timeoutMs(timeoutMs);
        Map<TopicPartition, ListOffsetsResultInfo> found =
                admin.listOffsets(wanted, options).all().get();
        ArrayNode answer = json.createArrayNode();
        found.forEach((where, offset) -> add(answer, where, offset.offset()));
        return answer;
    }

    private JsonNode committed(Admin admin, JsonNode asked, int timeoutMs) throws Exception {
        var options = new ListConsumerGroupOffsetsOptions().timeoutMs(timeoutMs);
        var found = admin.listConsumerGroupOffsets(asked.get("group").asText(), options);
        ArrayNode answer = json.createArrayNode();
        for (var offset : found.partitionsToOffsetAndMetadata().get().entrySet()) {
            if (offset.getValue() != null) {
                add(answer, offset.getKey(), offset.getValue().offset())
                        .add(offset.getValue().metadata());
            }
        }
        return answer;
    }

    private JsonNode commit(Admin admin, JsonNode asked, int timeoutMs) throws Exception {
        Map<TopicPartition, OffsetAndMetadata> offsets = new HashMap<>();
        String note = asked.get("note").asText();
        for (JsonNode one : asked.get("offsets")) {
            offsets.put(partition(one), new OffsetAndMetadata(one.get(2).asLong(), note));
        }
        var options = new AlterConsumerGroupOffsetsOptions().timeoutMs(timeoutMs);
        String group = asked.get("group").asText();
        admin.alterConsumerGroupOffsets(group, offsets, options).all().get();
        return json.nullNode();
    }

    private static TopicPartition partition(JsonNode where) {
        return new TopicPartition(where.get(0).asText(), where.get(1).asInt());
    }

    private static ArrayNode add(ArrayNode answer, TopicPartition where, long offset) {
        return answer.addArray().add(where.topic()).add(where.partition()).add(offset);
    }
}
