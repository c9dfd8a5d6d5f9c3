package penstock.operators;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

/** What the planner tells an operator, as JSON. */
public final class Told {
    private static final ObjectMapper JSON = new ObjectMapper();

    private Told() {}

    /** The parts that a text names. */
    public static JsonNode read(String json) {
        try {
            return JSON.readTree(json);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(e);
        }
    }
}
