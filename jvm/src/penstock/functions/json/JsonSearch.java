package penstock.functions.json;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.Serializable;
import java.math.BigDecimal;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.catalyst.util.GenericArrayData;
import org.apache.spark.unsafe.types.UTF8String;

/**
 * A call that looks into JSON by a path: JSON_VALUE, JSON_QUERY, JSON_EXISTS, JSON_LENGTH and
 * JSON_TYPE.
 *
 * <p>Its clauses are a JSON object: {@code path} (see {@link JsonPath}), {@code empty} and
 * {@code error} for what stands before ON EMPTY and ON ERROR, {@code wrapper}, {@code returning}.
 * A null text gives null.
 */
public final class JsonSearch implements Serializable {
    private static final long serialVersionUID = 1L;
    private static final Object NONE = new Object();

    /** What a path found in a text: a value, or why there is none. */
    private static final class Found {
        private final Object value;
        private final String error;

        private Found(Object value, String error) {
            this.value = value;
            this.error = error;
        }
    }

    private final JsonPath path;
    private final String onEmpty;
    private final String onError;
    private final String wrapper;
    private final String returning;

    /** The clauses as JSON. */
    public JsonSearch(String clauses) {
        JsonNode node = tree(clauses);
        path = node.has("path") ? new JsonPath(node.get("path")) : null;
        onEmpty = node.path("empty").asText("NULL");
        onError = node.path("error").asText("NULL");
        wrapper = node.path("wrapper").asText("WITHOUT");
        returning = node.path("returning").asText("STRING");
    }

    private static JsonNode tree(String clauses) {
        try {
            return JsonText.MAPPER.readTree(clauses);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
    }

    /** JSON_VALUE: the scalar as text. */
    public UTF8String value(UTF8String text, UTF8String defaultOnEmpty, UTF8String defaultOnError) {
        if (text == null) {
            return null;
        }
        Found found = search(text);
        boolean empty = found.value == null || path.lax() && isContainer(found.value);
        if (found.error == null && empty) {
            return instead(onEmpty, defaultOnEmpty,
                    "Empty result of JSON_VALUE function is not allowed");
        }
        if (found.error == null && !isContainer(found.value)) {
            return UTF8String.fromString(returned(found.value));
        }
        return instead(onError, defaultOnError, found.error != null ? found.error
                : "Strict jsonpath mode requires scalar value, and the actual value is: '"
                        + found.value + "'");
    }

    private String returned(Object value) {
        boolean fits = returning.equals("STRING")
                || returning.equals("BOOLEAN") && value instanceof Boolean
                || returning.equals("INT") && value instanceof Integer
                || returning.equals("DOUBLE")
                        && (value instanceof BigDecimal || value instanceof Integer);
        if (!fits) {
            throw new IllegalArgumentException(
                    "JSON_VALUE found '" + value + "', which is no " + returning);
        }
        return String.valueOf(value);
    }

    private static UTF8String instead(String behaviour, UTF8String byDefault, String message) {
        if (behaviour.equals("ERROR")) {
            throw new IllegalArgumentException(message);
        }
        return behaviour.equals("DEFAULT") ? byDefault : null;
    }

    /** JSON_QUERY: the object or array as JSON text. */
    public UTF8String query(UTF8String text) {
        Object found = queried(text);
        return found == null ? null
                : UTF8String.fromString(found instanceof String ? (String) found
                        : JsonText.write(found));
    }

    /** JSON_QUERY … RETURNING ARRAY&lt;STRING&gt;: the array's elements as texts. */
    public ArrayData queryArray(UTF8String text) {
        Object found = queried(text);
        if (found == null) {
            return null;
        }
        List<?> list = found instanceof List ? (List<?>) found : List.of();
        return new GenericArrayData(list.stream().map(JsonSearch::element).toArray());
    }

    private static UTF8String element(Object value) {
        return value == null ? null : UTF8String.fromString(
                isContainer(value) ? JsonText.write(value) : String.valueOf(value));
    }

    private Object queried(UTF8String text) {
        if (text == null) {
            return null;
        }
        Found found = search(text);
        Object value = found.value == null ? null : wrapped(found.value);
        if (found.error == null && (value == null || path.lax() && !isContainer(value))) {
            return container(onEmpty, "Empty result of JSON_QUERY function is not allowed");
        }
        boolean fits = returning.equals("ARRAY") ? value instanceof List : isContainer(value);
        if (found.error == null && fits) {
            return value;
        }
        return container(onError, found.error != null ? found.error
                : "Strict jsonpath mode requires array or object value, and the actual value is: '"
                        + value + "'");
    }

    private Object wrapped(Object value) {
        boolean alone = wrapper.equals("WITHOUT")
                || wrapper.equals("CONDITIONAL") && value instanceof List;
        return alone ? value : Collections.singletonList(value);
    }

    private static Object container(String behaviour, String message) {
        switch (behaviour) {
            case "ERROR":
                throw new IllegalArgumentException(message);
            case "EMPTY ARRAY":
                return List.of();
            case "EMPTY OBJECT":
                return Map.of();
            default:
                return null;
        }
    }

    /** JSON_EXISTS. */
    public Boolean exists(UTF8String text) {
        if (text == null) {
            return null;
        }
        Found found = search(text);
        if (found.error == null) {
            return found.value != null;
        }
        if (onError.equals("ERROR")) {
            throw new IllegalArgumentException(found.error);
        }
        return onError.equals("UNKNOWN") ? null : Boolean.valueOf(onError.equals("TRUE"));
    }

    /** JSON_LENGTH: members, elements, 1 for a scalar, null unless there is one value. */
    public Integer length(UTF8String text) {
        Object value = single(text);
        if (value == NONE) {
            return null;
        }
        if (value instanceof Map) {
            return ((Map<?, ?>) value).size();
        }
        return value instanceof List ? ((List<?>) value).size() : 1;
    }

    /** JSON_TYPE: the kind of the value, null unless there is one. */
    public UTF8String type(UTF8String text) {
        Object value = single(text);
        return value == NONE ? null : UTF8String.fromString(kind(value));
    }

    private static String kind(Object value) {
        if (value == null) {
            return "null";
        }
        if (value instanceof Number) {
            return "number";
        }
        if (isContainer(value)) {
            return value instanceof Map ? "object" : "array";
        }
        return value instanceof Boolean ? "boolean" : "string";
    }

    /** The one value a path finds, without regard to modes, or {@link #NONE}. */
    private Object single(UTF8String text) {
        JsonText document = text == null ? null : JsonText.of(text);
        if (document == null || document.error() != null) {
            return NONE;
        }
        if (path == null || document.value() == null) {
            return path == null || path.root() ? document.value() : NONE;
        }
        try {
            Object found = path.find(document.value());
            if (path.definite()) {
                return found;
            }
            List<?> matches = (List<?>) found;
            return matches.size() == 1 ? matches.get(0) : NONE;
        } catch (JsonPathException e) {
            return NONE;
        }
    }

    private Found search(UTF8String text) {
        JsonText document = JsonText.of(text);
        if (document.error() != null) {
            return new Found(null, path.lax() ? null : document.error().getMessage());
        }
        if (document.value() == null) {
            return new Found(null, "json object can not be null");
        }
        try {
            Object value = path.find(document.value());
            return value != null || path.lax() ? new Found(value, null) : new Found(null,
                    "Strict jsonpath mode requires a non empty returned value, but is null");
        } catch (JsonPathException e) {
            return new Found(null, e.getMessage());
        }
    }

    private static boolean isContainer(Object value) {
        return value instanceof Map || value instanceof List;
    }
}
