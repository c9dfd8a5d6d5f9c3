package penstock.formats.clickhouse;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.internal.SQLConf;
import penstock.formats.CodecOptions;

/**
 * What ClickHouse's type of a column says beyond Spark's.
 *
 * @param name the column's or the field's
 * @param root the kind of type, under Penstock's name
 * @param precision digits of a number, of a second, or bytes of a FixedString
 * @param scale digits behind the point
 * @param nullable whether it is Nullable
 * @param zone where a DateTime is shown
 * @param labels the names of an Enum
 * @param numbers the numbers of those names
 * @param children the element of an Array, the key and the value of a Map, the fields of a Tuple
 */
public record ColumnType(String name, String root, int precision, int scale, boolean nullable,
        ZoneId zone, List<String> labels, List<Integer> numbers, List<ColumnType> children) {
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final String SESSION_ZONE = "session_zone";

    /** The options with the session's zone, for they travel to where there is no session. */
    public static CodecOptions zoned(CodecOptions options) {
        return options.or(SESSION_ZONE, SQLConf.get().sessionLocalTimeZone());
    }

    /** The columns that the options of a codec tell, which are {@link #zoned}. */
    public static List<ColumnType> columns(CodecOptions options) {
        String text = options.text("types", "[]");
        try {
            return all(MAPPER.readTree(text), options.text(SESSION_ZONE, ""));
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("The types are not JSON: " + text, e);
        }
    }

    private static List<ColumnType> all(JsonNode nodes, String zone) {
        List<ColumnType> types = new ArrayList<>();
        nodes.forEach(node -> types.add(of(node, zone)));
        return types;
    }

    private static ColumnType of(JsonNode node, String zone) {
        List<String> labels = new ArrayList<>();
        List<Integer> numbers = new ArrayList<>();
        for (JsonNode label : node.path("labels")) {
            labels.add(label.get(0).textValue());
            numbers.add(label.get(1).intValue());
        }
        return new ColumnType(node.path("name").asText(), node.path("root").asText(),
                node.path("precision").asInt(), node.path("scale").asInt(),
                node.path("nullable").asBoolean(), ZoneId.of(node.path("zone").asText(zone)),
                labels, numbers, all(node.path("children"), zone));
    }

    /** A plain type of this name that is not Nullable. */
    public static ColumnType plain(String root) {
        return new ColumnType("", root, 0, 0, false, ZoneOffset.UTC, List.of(), List.of(),
                List.of());
    }

    /** The same type where it is not Nullable. */
    public ColumnType required() {
        return new ColumnType(name, root, precision, scale, false, zone, labels, numbers, children);
    }

    /** Whether the fields of a Tuple have names; else they are numbered. */
    boolean isNamed() {
        return !children.stream().allMatch(child -> child.name.chars().allMatch(Input::isDigit));
    }
}
