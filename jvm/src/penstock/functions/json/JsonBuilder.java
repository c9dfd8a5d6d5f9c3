package penstock.functions.json;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.util.RawValue;
import java.io.Serializable;
import java.util.HashSet;
import java.util.Set;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.unsafe.types.UTF8String;

/**
 * JSON_OBJECT, JSON_ARRAY and JSON_STRING: the fields of a row, written as JSON.
 *
 * <p>Fields named as raw hold JSON already and are written as they are.
 */
public final class JsonBuilder implements Serializable {
    private static final long serialVersionUID = 1L;

    private final StructType schema;
    private final boolean withNulls;
    private final Set<Integer> raw = new HashSet<>();

    /** {@code clauses} is {@code {"nulls": …, "raw": [positions]}}. */
    public JsonBuilder(StructType schema, String clauses) {
        this.schema = schema;
        try {
            JsonNode node = JsonText.MAPPER.readTree(clauses);
            withNulls = node.path("nulls").asBoolean();
            node.path("raw").forEach(position -> raw.add(position.asInt()));
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
    }

    /** JSON_OBJECT: the names of the fields are the keys. */
    public UTF8String object(InternalRow row) {
        ObjectNode object = JsonNodeFactory.instance.objectNode();
        StructField[] fields = schema.fields();
        for (int i = 0; i < fields.length; i++) {
            if (withNulls || !row.isNullAt(i)) {
                object.set(fields[i].name(), node(row, i));
            }
        }
        return written(object);
    }

    /** JSON_ARRAY. */
    public UTF8String array(InternalRow row) {
        ArrayNode array = JsonNodeFactory.instance.arrayNode();
        for (int i = 0; i < schema.length(); i++) {
            if (withNulls || !row.isNullAt(i)) {
                array.add(node(row, i));
            }
        }
        return written(array);
    }

    /** JSON_STRING: the one field of the row. */
    public UTF8String value(InternalRow row) {
        return row.isNullAt(0) ? null : written(node(row, 0));
    }

    private JsonNode node(InternalRow row, int position) {
        if (raw.contains(position) && !row.isNullAt(position)) {
            return JsonNodeFactory.instance.rawValueNode(
                    new RawValue(row.getUTF8String(position).toString()));
        }
        return JsonNodes.of(row, position, schema.fields()[position].dataType());
    }

    /** Keys are sorted in maps only, so the tree is read as maps first. */
    private static UTF8String written(JsonNode node) {
        try {
            Object value = JsonText.MAPPER.treeToValue(node, Object.class);
            return UTF8String.fromString(JsonText.MAPPER.writeValueAsString(value));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }
}
