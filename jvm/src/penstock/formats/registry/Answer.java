package penstock.formats.registry;

import com.fasterxml.jackson.databind.JsonNode;
import penstock.formats.RegistryException;

/**
 * What a registry said.
 *
 * @param client that asked
 * @param asked what it was asked, as in "asked for …"
 * @param content what it said
 */
record Answer(RegistryClient client, String asked, JsonNode content) {
    /** A whole number of it. */
    int number(String field) {
        if (!content.path(field).isInt()) {
            throw lacks(field);
        }
        return content.path(field).intValue();
    }

    /** A text of it. */
    String text(String field) {
        if (!content.path(field).isTextual()) {
            throw lacks(field);
        }
        return content.path(field).textValue();
    }

    private RegistryException lacks(String field) {
        return client.misplaced("asked " + asked + ", it gives no '" + field + "'");
    }
}
