package penstock.formats.registry;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.avro.Schema;
import org.apache.avro.SchemaParseException;
import penstock.formats.CodecOptions;
import penstock.formats.RegistryException;

/**
 * The Avro schemas of a registry with Confluent's interface. What it once said of an id, or of a
 * schema's, holds for good and is kept; the tasks of a process share what is kept.
 */
public final class Registry {
    private static final Map<Place, Registry> OPEN = new ConcurrentHashMap<>();
    private static final String AVRO = "AVRO";

    private final RegistryClient client;
    private final Map<Integer, Schema> schemas = new ConcurrentHashMap<>();
    private final Map<Subject, Integer> ids = new ConcurrentHashMap<>();
    private final Map<String, Registered> newest = new ConcurrentHashMap<>();

    private Registry(RegistryClient client) {
        this.client = client;
    }

    private record Place(RegistrySettings settings, RegistryException.Origin origin) {}

    private record Subject(String name, Schema schema) {}

    /**
     * A schema and the number it has in the registry.
     *
     * @param id the number
     * @param schema the schema
     */
    public record Registered(int id, Schema schema) {}

    /** The registry that the options of a format name. */
    public static Registry of(CodecOptions options) {
        Place place = new Place(RegistrySettings.of(options), RegistryException.Origin.of(options));
        return OPEN.computeIfAbsent(place,
                fresh -> new Registry(RegistryClient.open(fresh.settings, fresh.origin)));
    }

    /** The schema of an id; null if the registry has none. */
    public Schema schema(int id) {
        Schema known = schemas.get(id);
        if (known != null) {
            return known;
        }
        JsonNode found = client.get("/schemas/ids/" + id);
        if (found == null) {
            return null;
        }
        Schema schema = parse(found);
        schemas.put(id, schema);
        return schema;
    }

    /** The id of a schema, which is registered under a subject if it is not yet. */
    public int register(String subject, Schema schema) {
        return ids.computeIfAbsent(new Subject(subject, schema), asked -> id(client.post(
                "/subjects/" + RegistryClient.escaped(subject) + "/versions",
                Map.of("schema", schema.toString()))));
    }

    /** The newest schema of a subject when it is asked for first. */
    public Registered latest(String subject) {
        return newest.computeIfAbsent(subject, this::askForLatest);
    }

    private Registered askForLatest(String subject) {
        String path = "/subjects/" + RegistryClient.escaped(subject) + "/versions/latest";
        JsonNode found = client.get(path);
        if (found == null) {
            throw client.refused("there is no schema under the subject '" + subject + "'");
        }
        return new Registered(id(found), parse(found));
    }

    private int id(JsonNode answer) {
        if (answer == null || !answer.path("id").isInt()) {
            throw client.refused("its answer has no id of a schema");
        }
        return answer.path("id").intValue();
    }

    private String text(JsonNode answer) {
        if (!answer.path("schema").isTextual()) {
            throw client.refused("its answer has no schema");
        }
        return answer.path("schema").textValue();
    }

    private Schema parse(JsonNode found) {
        String kind = found.path("schemaType").asText(AVRO);
        if (!kind.equals(AVRO)) {
            throw new SchemaParseException("The schema is of the type " + kind);
        }
        // Writers may have registered a default that does not fit; their messages are good.
        Schema.Parser parser = new Schema.Parser().setValidateDefaults(false);
        addReferences(found, parser);
        return parser.parse(text(found));
    }

    /** Named types that the schema takes from other subjects, theirs first. */
    private void addReferences(JsonNode schema, Schema.Parser parser) {
        for (JsonNode reference : schema.path("references")) {
            String subject = RegistryClient.escaped(reference.path("subject").asText());
            JsonNode found = client.get(
                    "/subjects/" + subject + "/versions/" + reference.path("version").asInt());
            if (found == null) {
                throw new SchemaParseException("The schema refers to "
                        + reference.path("name").asText() + ", which is not in the registry");
            }
            if (!parser.getTypes().containsKey(reference.path("name").asText())) {
                addReferences(found, parser);
                parser.parse(text(found));
            }
        }
    }
}
