package penstock.kafka.sink;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.unsafe.types.UTF8String;

/** Which topic a row goes to: the only one, or the one it names itself if that is allowed. */
final class Topics {
    private static final String INVALID = "The topic of the sink record is not valid. Expected ";

    private final SinkSpec spec;
    private final int ordinal;
    private final String only;
    private final Set<String> allowed;
    private final Pattern pattern;
    private final Map<UTF8String, String> seen = new HashMap<>();

    Topics(SinkSpec spec, int ordinal) {
        this.spec = spec;
        this.ordinal = ordinal;
        this.only = spec.topics().size() == 1 ? spec.topics().get(0) : null;
        this.allowed = new HashSet<>(spec.topics());
        this.pattern = spec.pattern() == null ? null : Pattern.compile(spec.pattern());
    }

    String of(InternalRow row) {
        if (only != null) {
            return only;
        }
        if (ordinal < 0 || row.isNullAt(ordinal)) {
            throw invalid("a single topic but no topic is set.");
        }
        UTF8String named = row.getUTF8String(ordinal);
        String known = seen.get(named);
        return known != null ? known : check(named);
    }

    private String check(UTF8String named) {
        String topic = named.toString();
        if (pattern == null && !allowed.contains(topic)) {
            throw invalid("topic to be in: " + spec.topics() + " but was: " + topic);
        }
        if (pattern != null && !pattern.matcher(topic).matches()) {
            throw invalid("topic to match: " + pattern + " but was: " + topic);
        }
        seen.put(named.copy(), topic);
        return topic;
    }

    private SinkException invalid(String expected) {
        return SinkException.row(spec.table(), INVALID + expected);
    }
}
