package penstock.sources;

import java.io.Serializable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.spark.sql.connector.read.streaming.Offset;

/** How far the rows are: the number of the next one, and when it was reached. */
final class DatagenOffset extends Offset implements Serializable {
    private static final long serialVersionUID = 1L;
    private static final Pattern JSON =
            Pattern.compile("\\{\"row\":(\\d+),\"millis\":(\\d+)\\}");

    private final long row;
    private final long millis;

    DatagenOffset(long row, long millis) {
        this.row = row;
        this.millis = millis;
    }

    static DatagenOffset parse(String json) {
        Matcher found = JSON.matcher(json);
        if (!found.matches()) {
            throw new IllegalArgumentException("Not an offset of datagen: " + json);
        }
        return new DatagenOffset(Long.parseLong(found.group(1)), Long.parseLong(found.group(2)));
    }

    long row() {
        return row;
    }

    long millis() {
        return millis;
    }

    @Override
    public String json() {
        return "{\"row\":" + row + ",\"millis\":" + millis + "}";
    }
}
