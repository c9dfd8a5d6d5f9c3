package penstock.formats.registry;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;
import org.apache.avro.Schema;
import org.apache.avro.SchemaParseException;
import penstock.formats.CodecOptions;

/**
 * The Avro schemas of a registry with Confluent's interface. It keeps none of them, and no lock while
 * it waits for an answer: who asks keeps the answer, and of two who ask at once both are answered.
 */
public final class Registry {
    private static final String AVRO = "AVRO";

    private final CodecOptions options;
    private RegistryClient opened;

    /** The registry that the options of a format name. */
    public Registry(CodecOptions options) {
        this.options = options;
    }

    /**
     * A schema and the number it has in the registry.
     *
     * @param id the number
     * @param schema the schema
     */
    public record Registered(int id, Schema schema) {}

    /** Stores of keys are where tasks run: they are read there, when they are needed. */
    private synchronized RegistryClient client() {
        if (opened == null) {
            opened = RegistryClient.open(options);
        }
        return opened;
    }

    /** Where it listens, without a login. */
    public String address() {
        return client().address();
    }

    /** The schema of an id; null if the registry has none. */
    public Schema schema(int id) {
        Answer found = client().get("/schemas/ids/" + id, "for the schema with id " + id);
        return found == null ? null : parse(found);
    }

    /** The id of a schema, which is registered under a subject if it is not yet. */
    public int register(String subject, Schema schema) {
        return client().post(versions(subject), Map.of("schema", schema.toString()),
                "to register a schema under the subject '" + subject + "'").number("id");
    }

    /** The newest schema of a subject. */
    public Registered latest(String subject) {
        Answer found = client().get(versions(subject) + "/latest",
                "for the newest schema under the subject '" + subject + "'");
        if (found == null) {
            throw client().refused("there is no schema under the subject '" + subject + "'",
                    "register one, or name its subject with " + client().option("subject"));
        }
        return new Registered(found.number("id"), parse(found));
    }

    private static String versions(String subject) {
        return "/subjects/" + RegistryClient.escaped(subject) + "/versions";
    }

    private Schema parse(Answer found) {
        String kind = found.content().path("schemaType").asText(AVRO);
        if (!kind.equals(AVRO)) {
            throw new SchemaParseException("The schema is of the type " + kind);
        }
        // Writers may have registered a default that does not fit; their messages are good.
        Schema.Parser parser = new Schema.Parser().setValidateDefaults(false);
        addReferences(found, parser);
        return parser.parse(found.text("schema"));
    }

    /** Named types that the schema takes from other subjects, theirs first. */
    private void addReferences(Answer schema, Schema.Parser parser) {
        for (JsonNode reference : schema.content().path("references")) {
            String name = reference.path("name").asText();
            String subject = reference.path("subject").asText();
            int version = reference.path("version").asInt();
            Answer found = client().get(versions(subject) + "/" + version,
                    "for version " + version + " under the subject '" + subject + "'");
            if (found == null) {
                throw new SchemaParseException(
                        "The schema refers to " + name + ", which is not in the registry");
            }
            if (!parser.getTypes().containsKey(name)) {
                addReferences(found, parser);
                parser.parse(found.text("schema"));
            }
        }
    }
}
