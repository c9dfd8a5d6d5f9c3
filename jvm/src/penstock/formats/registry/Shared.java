package penstock.formats.registry;

import java.util.Map;
import java.util.UUID;
import java.util.function.Supplier;
import org.apache.spark.sql.types.StructType;
import penstock.formats.CodecOptions;

/**
 * What the tasks of one query share in a process, batch after batch: a codec is made anew for each
 * task, what it has found out is not. A query that is started later shares nothing with it, so that
 * it sees a registry as it is by then. Of very many queries, those whose tasks ran last are known.
 */
public final class Shared<T> {
    private static final int MOST = 256;

    private final Map<Use, T> known = new Recent<>(MOST);

    private record Use(UUID id, StructType type) {}

    /** What the users of these options share for rows of a type; nothing may wait while it is made. */
    public synchronized T of(StructType type, CodecOptions options, Supplier<T> made) {
        return known.computeIfAbsent(new Use(options.use(), type), use -> made.get());
    }
}
