package penstock.functions;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import org.apache.spark.unsafe.types.UTF8String;

/** What is made of texts, such as compiled patterns: each thread keeps the last used. */
public final class ThreadCache<V> {
    private static final int CACHED = 64;

    private final Function<String, V> maker;
    private final ThreadLocal<Map<UTF8String, V>> values =
            ThreadLocal.withInitial(() -> new LinkedHashMap<>(CACHED, 0.75f, true) {
                private static final long serialVersionUID = 1L;

                @Override
                protected boolean removeEldestEntry(Map.Entry<UTF8String, V> eldest) {
                    return size() > CACHED;
                }
            });

    /** Values come from this function. */
    public ThreadCache(Function<String, V> maker) {
        this.maker = maker;
    }

    /** The value of a text; what the maker throws is thrown. */
    public V get(UTF8String text) {
        Map<UTF8String, V> known = values.get();
        V value = known.get(text);
        if (value == null) {
            value = maker.apply(text.toString());
            known.put(text.clone(), value);
        }
        return value;
    }
}
