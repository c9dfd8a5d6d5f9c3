package penstock.watermark;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The watermarks of a query's tables as JSON. Written before Spark commits the batch that they come
 * from: if it is run again it gives the same times, and times only grow.
 */
final class WatermarkFile {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Path path;
    private String written = "";

    WatermarkFile(Path path) {
        this.path = path;
    }

    void restore(String scan, TableWatermark table) throws IOException {
        if (!Files.exists(path)) {
            return;
        }
        JsonNode kept = JSON.readTree(path.toFile()).path(scan);
        Map<String, Long> times = new TreeMap<>();
        kept.path("partitions").properties().forEach(entry ->
                times.put(entry.getKey(), number(entry.getValue())));
        List<String> idle = new ArrayList<>();
        kept.path("idle").forEach(name -> idle.add(name.asText()));
        table.restore(times, idle, number(kept.path("watermark")));
    }

    private static Long number(JsonNode node) {
        return node.isNumber() ? node.longValue() : null;
    }

    void save(Map<String, TableWatermark> tables) {
        ObjectNode all = JSON.createObjectNode();
        tables.forEach((scan, table) -> fill(all.putObject(scan), table));
        String text = all.toString();
        if (text.equals(written)) {
            return;
        }
        try {
            Files.createDirectories(path.getParent());
            Path staged = path.resolveSibling("." + path.getFileName() + ".tmp");
            Files.writeString(staged, text);
            Files.move(staged, path, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException error) {
            throw new UncheckedIOException(error);
        }
        written = text;
    }

    private static void fill(ObjectNode node, TableWatermark table) {
        ObjectNode partitions = node.putObject("partitions");
        table.latest().forEach(partitions::put);
        ArrayNode idle = node.putArray("idle");
        table.idle().forEach(idle::add);
        node.put("watermark", table.watermarkMs());
    }
}
