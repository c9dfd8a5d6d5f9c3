package penstock.formats;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.Serializable;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;

/**
 * The options of a format under Flink's names without the format's prefix, as Python gave them: one
 * JSON object of strings. They were validated there; an option that is not asked for is ignored.
 * Secrets are shown by their placeholders.
 */
public final class CodecOptions implements Serializable {
    private static final long serialVersionUID = 1L;
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private final TreeMap<String, String> values;
    private final TreeMap<String, String> shown;
    private final UUID use;

    private CodecOptions(Map<String, String> given) {
        this.use = UUID.randomUUID();
        this.shown = new TreeMap<>(given);
        this.values = new TreeMap<>(given);
        values.replaceAll((key, value) -> value == null ? null : Secrets.revealed(value));
    }

    private CodecOptions(CodecOptions same) {
        this.use = same.use;
        this.values = new TreeMap<>(same.values);
        this.shown = new TreeMap<>(same.shown);
    }

    /** Reads the JSON text of a function's options argument. */
    public static CodecOptions parse(String json) {
        try {
            return new CodecOptions(
                    MAPPER.readValue(json, new TypeReference<Map<String, String>>() {}));
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("The options are not a JSON object: " + json, e);
        }
    }

    /** The same options, and this one unless it is set. */
    public CodecOptions or(String key, String value) {
        CodecOptions more = new CodecOptions(this);
        more.values.putIfAbsent(key, value);
        more.shown.putIfAbsent(key, value);
        return more;
    }

    /**
     * What sets one expression of a query apart from all others, also those with equal options: what
     * tasks find out for it may be kept under this name, and is nobody else's.
     */
    public UUID use() {
        return use;
    }

    /** A flag that is off unless it says {@code true}. */
    public boolean flag(String key) {
        return flag(key, false);
    }

    /** A flag with a default. */
    public boolean flag(String key, boolean fallback) {
        String value = values.get(key);
        return value == null ? fallback : Boolean.parseBoolean(value.trim());
    }

    /** A whole number with a default. */
    public long number(String key, long fallback) {
        String value = values.get(key);
        return value == null ? fallback : Long.parseLong(value.trim());
    }

    /** A text with a default, which may be null. */
    public String text(String key, String fallback) {
        return values.getOrDefault(key, fallback);
    }

    /** Names of columns, which Python wrote as a JSON array; none if it did not. */
    public List<String> names(String key) {
        try {
            return List.of(MAPPER.readValue(text(key, "[]"), String[].class));
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("The option " + key + " is no list of names", e);
        }
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof CodecOptions && ((CodecOptions) other).values.equals(values);
    }

    @Override
    public int hashCode() {
        return values.hashCode();
    }

    @Override
    public String toString() {
        return shown.toString();
    }
}
