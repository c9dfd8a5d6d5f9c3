package penstock.formats.clickhouse;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.spark.unsafe.types.UTF8String;
import penstock.functions.ThreadCache;

/**
 * JSON_VALUE, JSON_QUERY and JSON_EXISTS: what a path such as {@code $.a[0 to 2, 4].b[*]} finds in a
 * document. The planner has checked the path.
 */
public final class JsonPaths {
    private static final Pattern STEP = Pattern.compile(
            "\\.([\\w-]+)|\\.?\\[\"([^\"]*)\"\\]|\\.?\\['([^']*)'\\]|\\[([^\\]]*)\\]");
    // A string, or a number with an exponent. What is possessive takes no stack.
    private static final Pattern PART =
            Pattern.compile("(\"[^\"\\\\]*+(?:\\\\.[^\"\\\\]*+)*+\")|(-?[0-9.]+)e(-?)([0-9]+)");
    private static final ThreadCache<List<Step>> PATHS = new ThreadCache<>(JsonPaths::read);

    /** A key, or places from and before; neither for all members. */
    private record Step(UTF8String key, int[] places) {}

    private JsonPaths() {}

    private static List<Step> read(String path) {
        List<Step> steps = new ArrayList<>();
        Matcher matcher = STEP.matcher(path);
        while (matcher.find()) {
            String places = matcher.group(4);
            if (places == null) {
                String key = matcher.group(1) != null ? matcher.group(1)
                        : matcher.group(2) != null ? matcher.group(2) : matcher.group(3);
                steps.add(new Step(UTF8String.fromString(key), null));
            } else {
                steps.add(new Step(null, places.trim().equals("*") ? null : ranges(places)));
            }
        }
        return steps;
    }

    private static int[] ranges(String text) {
        String[] parts = text.split(",");
        int[] found = new int[2 * parts.length];
        for (int i = 0; i < parts.length; i++) {
            String[] bounds = parts[i].trim().split("\\s+to\\s+");
            found[2 * i] = Integer.parseInt(bounds[0]);
            found[2 * i + 1] = bounds.length > 1 ? Integer.parseInt(bounds[1])
                    : found[2 * i] + 1;
        }
        return found;
    }

    /** Visits what the path finds until the visitor has had enough. */
    private static boolean visit(JsonDocument document, int at, List<Step> steps, int done,
            IntPredicate visitor) {
        if (done == steps.size()) {
            return visitor.test(at);
        }
        Step step = steps.get(done);
        if (step.key != null) {
            int key = document.find(at, step.key);
            return key != JsonDocument.NONE
                    && visit(document, document.value(key), steps, done + 1, visitor);
        }
        if (document.bytes[at] != '[') {
            return false;
        }
        if (step.places == null) {
            for (int i = document.first(at); i != JsonDocument.NONE; i = document.next(i)) {
                if (visit(document, i, steps, done + 1, visitor)) {
                    return true;
                }
            }
            return false;
        }
        for (int range = 0; range < step.places.length; range += 2) {
            int place = step.places[range];
            int member = document.nth(at, place + 1);
            while (place < step.places[range + 1] && member != JsonDocument.NONE) {
                if (visit(document, member, steps, done + 1, visitor)) {
                    return true;
                }
                member = document.next(member);
                place++;
            }
        }
        return false;
    }

    private static void visit(JsonDocument document, UTF8String path,
            IntPredicate visitor) {
        if (document.root() != JsonDocument.NONE) {
            visit(document, document.root(), PATHS.get(path), 0, visitor);
        }
    }

    /** The element as these functions write it: exponents have a sign and two digits. */
    private static String written(JsonDocument document, int at) {
        StringBuilder text = new StringBuilder();
        Matcher part = PART.matcher(document.raw(at).toString());
        while (part.find()) {
            String kept = part.group(2) == null ? part.group().replace("\\u2028", "\u2028")
                    .replace("\\u2029", "\u2029") : exponent(part);
            part.appendReplacement(text, Matcher.quoteReplacement(kept));
        }
        return part.appendTail(text).toString();
    }

    private static String exponent(Matcher part) {
        String sign = part.group(3).isEmpty() ? "+" : part.group(3);
        String digits = part.group(4).length() == 1 ? "0" + part.group(4) : part.group(4);
        return part.group(2) + "e" + sign + digits;
    }

    /** JSON_VALUE: the first scalar, a string without its quotes; nothing if there is none. */
    public static UTF8String value(UTF8String text, UTF8String path) {
        JsonDocument document = JsonDocument.of(text);
        UTF8String[] found = {UTF8String.EMPTY_UTF8};
        visit(document, path, at -> {
            JsonDocument.Kind kind = document.kind(at);
            if (kind == JsonDocument.Kind.ARRAY || kind == JsonDocument.Kind.OBJECT) {
                return false;
            }
            found[0] = kind == JsonDocument.Kind.STRING ? document.text(at)
                    : UTF8String.fromString(written(document, at));
            return true;
        });
        return found[0];
    }

    /** JSON_QUERY: all that was found, as an array; nothing if there is none. */
    public static UTF8String query(UTF8String text, UTF8String path) {
        JsonDocument document = JsonDocument.of(text);
        List<String> found = new ArrayList<>();
        visit(document, path, at -> {
            found.add(written(document, at));
            return false;
        });
        return found.isEmpty() ? UTF8String.EMPTY_UTF8
                : UTF8String.fromString("[" + String.join(", ", found) + "]");
    }

    /** JSON_EXISTS. */
    public static boolean exists(UTF8String text, UTF8String path) {
        JsonDocument document = JsonDocument.of(text);
        boolean[] found = {false};
        visit(document, path, at -> found[0] = true);
        return found[0];
    }
}
