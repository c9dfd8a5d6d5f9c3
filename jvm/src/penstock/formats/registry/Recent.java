package penstock.formats.registry;

import java.util.LinkedHashMap;
import java.util.Map;

/** A map that keeps only the entries that were used last. */
final class Recent<K, V> extends LinkedHashMap<K, V> {
    private static final long serialVersionUID = 1L;

    private final int most;

    /** A map of at most so many entries. */
    Recent(int most) {
        super(16, 0.75f, true);
        this.most = most;
    }

    @Override
    protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
        return size() > most;
    }
}
