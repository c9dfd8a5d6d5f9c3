package penstock.operators.join;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A side whose rows have the key of the join as their own: there is one of them at most.
 *
 * <p>Where its rows are upserts the last one counts, and what it replaces is what is kept. Where the
 * old row is told, too, their order does not matter: the row that came more often than it went is it.
 */
final class OneRow extends Side {
    private final Kept state;
    private final boolean upserts;
    private final boolean expires;
    private final Map<ByteBuffer, Long> net = new LinkedHashMap<>();
    private final Map<ByteBuffer, Long> changes = new LinkedHashMap<>();
    private final Map<ByteBuffer, Entry> entries = new LinkedHashMap<>();
    private ByteBuffer before;
    private ByteBuffer last;
    private long lastAt;
    private boolean isTouched;
    private boolean isLoaded;
    private boolean isSettled;

    OneRow(Kept state, boolean upserts, long ttlMillis) {
        this.state = state;
        this.upserts = upserts;
        this.expires = ttlMillis > 0;
    }

    @Override
    void clear() {
        net.clear();
        changes.clear();
        entries.clear();
        before = null;
        last = null;
        isTouched = false;
        isLoaded = false;
        isSettled = false;
    }

    @Override
    void take(byte[] row, boolean comes, long at) {
        if (!upserts) {
            net.merge(ByteBuffer.wrap(row), comes ? 1L : -1L, Long::sum);
        } else if (!isTouched || at > lastAt || (at == lastAt && comes && isBehind(row))) {
            last = comes ? ByteBuffer.wrap(row) : null;
            lastAt = at;
        }
        isTouched = true;
    }

    /**
     * Of changes whose order is not known, what goes was there before what comes; then the bytes
     * decide, so that a batch that is run again gives the same.
     */
    private boolean isBehind(byte[] row) {
        return last == null || Arrays.compareUnsigned(row, last.array()) > 0;
    }

    @Override
    Map<ByteBuffer, Long> changes() {
        if (!isSettled && isTouched) {
            load();
            ByteBuffer after = upserts ? last : mostOften();
            if (before != null && !before.equals(after)) {
                changes.put(before, -1L);
            }
            if (after != null && !after.equals(before)) {
                changes.put(after, 1L);
                entries.put(after, new Entry(0, 0));
            }
        }
        isSettled = true;
        return changes;
    }

    private ByteBuffer mostOften() {
        if (before != null) {
            net.merge(before, 1L, Long::sum);
        }
        ByteBuffer found = null;
        for (Map.Entry<ByteBuffer, Long> row : net.entrySet()) {
            // One that was told twice is still one row; a new one goes before what is kept.
            if (row.getValue() > 0 && (found == null || found.equals(before))) {
                found = row.getKey();
            }
        }
        return found;
    }

    private void load() {
        if (isLoaded) {
            return;
        }
        isLoaded = true;
        byte[] kept = state.get();
        if (kept != null) {
            ByteBuffer buffer = ByteBuffer.wrap(kept);
            long partners = buffer.getLong();
            byte[] row = new byte[buffer.remaining()];
            buffer.get(row);
            before = ByteBuffer.wrap(row);
            entries.put(before, new Entry(1, partners));
        }
    }

    @Override
    Entry entry(ByteBuffer row) {
        return all().get(row);
    }

    @Override
    Map<ByteBuffer, Entry> all() {
        load();
        changes();
        return entries;
    }

    @Override
    boolean existed() {
        load();
        return before != null;
    }

    @Override
    boolean exists() {
        return all().values().stream().anyMatch(entry -> entry.count > 0);
    }

    @Override
    List<ByteBuffer> again() {
        boolean stays = expires && isTouched && changes().isEmpty() && before != null;
        return stays ? List.of(before) : List.of();
    }

    @Override
    void save() {
        boolean isThere = false;
        for (Map.Entry<ByteBuffer, Entry> row : entries.entrySet()) {
            Entry entry = row.getValue();
            if (entry.count > 0) {
                isThere = true;
                if (entry.changed() || (expires && isTouched)) {
                    state.put(written(row.getKey(), entry.partners));
                }
            }
        }
        if (!isThere && before != null) {
            state.put(null);
        }
    }

    private static byte[] written(ByteBuffer row, long partners) {
        return ByteBuffer.allocate(Long.BYTES + row.capacity())
                .putLong(partners).put(row.array()).array();
    }
}
