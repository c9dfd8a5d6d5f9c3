package penstock.functions.json;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A JSON path, read and checked by Penstock's planner, which passes it as JSON:
 * {@code {"lax": …, "steps": [{"names": […]}, {"indexes": […]}, {"from": 1, "to": 2},
 * {"any": true}, {"scan": true}]}}.
 *
 * <p>A path of one name or index per step is definite: it gives one value or none. Any other gives
 * a list of all it finds. In strict mode a definite part that is missing is an error; in lax mode,
 * and after an indefinite step, it is passed over.
 */
final class JsonPath implements Serializable {
    private static final long serialVersionUID = 1L;

    /** One step; exactly one of its parts is set. */
    private static final class Step implements Serializable {
        private static final long serialVersionUID = 1L;

        private final List<String> names = new ArrayList<>();
        private final List<Integer> indexes = new ArrayList<>();
        private final Integer from;
        private final Integer to;
        private final boolean any;
        private final boolean scan;

        Step(JsonNode node) {
            node.path("names").forEach(name -> names.add(name.asText()));
            node.path("indexes").forEach(index -> indexes.add(index.asInt()));
            from = node.hasNonNull("from") ? Integer.valueOf(node.get("from").asInt()) : null;
            to = node.hasNonNull("to") ? Integer.valueOf(node.get("to").asInt()) : null;
            any = node.path("any").asBoolean();
            scan = node.path("scan").asBoolean();
        }

        boolean definite(boolean leaf) {
            return names.size() == 1 || indexes.size() == 1 || leaf && names.size() > 1;
        }
    }

    private final boolean lax;
    private final boolean definite;
    private final String shown;
    private final List<Step> steps = new ArrayList<>();

    JsonPath(JsonNode node) {
        lax = node.path("lax").asBoolean();
        shown = node.path("shown").asText();
        node.path("steps").forEach(step -> steps.add(new Step(step)));
        definite = definiteBefore(steps.size());
    }

    boolean lax() {
        return lax;
    }

    boolean definite() {
        return definite;
    }

    boolean root() {
        return steps.isEmpty();
    }

    /** What the path finds: a value or null, a list if it is indefinite. */
    Object find(Object document) throws JsonPathException {
        List<Object> found = new ArrayList<>();
        walk(0, document, found);
        if (!definite) {
            return found;
        }
        if (found.isEmpty() && !lax) {
            throw new JsonPathException("No results for path: " + shown);
        }
        return found.isEmpty() ? null : found.get(found.size() - 1);
    }

    private boolean definiteBefore(int step) {
        for (int i = 0; i < step; i++) {
            if (!steps.get(i).definite(i == steps.size() - 1)) {
                return false;
            }
        }
        return true;
    }

    private void walk(int position, Object value, List<Object> found) throws JsonPathException {
        if (position == steps.size()) {
            found.add(value);
            return;
        }
        Step step = steps.get(position);
        if (step.scan) {
            scan(position + 1, value, found);
        } else if (step.any) {
            for (Object child : children(value)) {
                walk(position + 1, child, found);
            }
        } else if (step.names.isEmpty()) {
            elements(position, step, value, found);
        } else {
            members(position, step, value, found);
        }
    }

    private void scan(int position, Object value, List<Object> found) throws JsonPathException {
        if (matches(steps.get(position), value, position == steps.size() - 1)) {
            walk(position, value, found);
        }
        for (Object child : children(value)) {
            scan(position, child, found);
        }
    }

    private static boolean matches(Step step, Object value, boolean leaf) {
        if (step.names.isEmpty()) {
            return step.any ? value instanceof Map || value instanceof List : value instanceof List;
        }
        return value instanceof Map
                && (!step.definite(leaf) || ((Map<?, ?>) value).keySet().containsAll(step.names));
    }

    private static Iterable<?> children(Object value) {
        if (value instanceof Map) {
            return ((Map<?, ?>) value).values();
        }
        return value instanceof List ? (List<?>) value : List.of();
    }

    private void members(int position, Step step, Object value, List<Object> found)
            throws JsonPathException {
        if (!(value instanceof Map)) {
            missing(position, "An object was expected before " + step.names + " in " + shown);
            return;
        }
        Map<?, ?> object = (Map<?, ?>) value;
        boolean leaf = position == steps.size() - 1;
        if (leaf && step.names.size() > 1) {
            Map<String, Object> chosen = new LinkedHashMap<>();
            step.names.stream().filter(object::containsKey)
                    .forEach(name -> chosen.put(name, object.get(name)));
            found.add(chosen);
            return;
        }
        for (String name : step.names) {
            if (object.containsKey(name)) {
                walk(position + 1, object.get(name), found);
            } else if (!leaf && step.names.size() == 1) {
                missing(position, "Missing property '" + name + "' in path " + shown);
            }
        }
    }

    private void elements(int position, Step step, Object value, List<Object> found)
            throws JsonPathException {
        if (!(value instanceof List)) {
            missing(position, "An array was expected in path " + shown);
            return;
        }
        List<?> array = (List<?>) value;
        for (int index : step.indexes.isEmpty() ? slice(step, array.size()) : step.indexes) {
            int effective = index < 0 ? array.size() + index : index;
            if (effective >= 0 && effective < array.size()) {
                walk(position + 1, array.get(effective), found);
            }
        }
    }

    private static List<Integer> slice(Step step, int size) {
        int from = step.from == null ? 0 : step.from;
        int to = step.to == null ? size : Math.min(size, step.to);
        if (step.to == null && from < 0) {
            from = Math.max(0, size + from);
        }
        if (step.from == null && to < 0) {
            to += size;
        }
        List<Integer> indexes = new ArrayList<>();
        for (int i = from; i < to && size > 0; i++) {
            indexes.add(i);
        }
        return indexes;
    }

    private void missing(int position, String message) throws JsonPathException {
        if (!lax && definiteBefore(position)) {
            throw new JsonPathException(message);
        }
    }
}
