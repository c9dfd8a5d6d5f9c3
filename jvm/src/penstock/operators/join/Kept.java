package penstock.operators.join;

import java.nio.ByteBuffer;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.streaming.StatefulProcessorHandle;
import org.apache.spark.sql.streaming.ValueState;
import penstock.operators.Changes;

/** What is kept of one key as a value; null is nothing. */
interface Kept {
    byte[] get();

    void put(byte[] value);

    /** A value by itself. */
    static Kept alone(StatefulProcessorHandle handle, String name, long ttlMillis) {
        ValueState<byte[]> state =
                handle.getValueState(name, Encoders.BINARY(), Changes.ttl(ttlMillis));
        return new Kept() {
            @Override
            public byte[] get() {
                return state.get();
            }

            @Override
            public void put(byte[] value) {
                if (value == null) {
                    state.clear();
                } else {
                    state.update(value);
                }
            }
        };
    }

    /** Two values in one entry of the state: read once and written once for each key. */
    final class Two {
        private static final int NOTHING = -1;

        private final ValueState<byte[]> state;
        private final byte[][] values = new byte[2][];
        private boolean isLoaded;
        private boolean isChanged;

        Two(StatefulProcessorHandle handle, String name) {
            state = handle.getValueState(name, Encoders.BINARY(), Changes.ttl(0));
        }

        /** One of the two. */
        Kept at(int place) {
            return new Kept() {
                @Override
                public byte[] get() {
                    load();
                    return values[place];
                }

                @Override
                public void put(byte[] value) {
                    load();
                    values[place] = value;
                    isChanged = true;
                }
            };
        }

        /** Begin with another key. */
        void clear() {
            isLoaded = false;
            isChanged = false;
        }

        private void load() {
            if (isLoaded) {
                return;
            }
            isLoaded = true;
            byte[] saved = state.get();
            ByteBuffer parts = saved == null ? null : ByteBuffer.wrap(saved);
            values[0] = parts == null ? null : part(parts, parts.getInt());
            values[1] = parts == null || !parts.hasRemaining() ? null : part(parts, parts.remaining());
        }

        private static byte[] part(ByteBuffer parts, int length) {
            if (length == NOTHING) {
                return null;
            }
            byte[] found = new byte[length];
            parts.get(found);
            return found;
        }

        /** Keep both, if one was put. */
        void save() {
            if (!isChanged) {
                return;
            }
            if (values[0] == null && values[1] == null) {
                state.clear();
                return;
            }
            int first = values[0] == null ? 0 : values[0].length;
            int second = values[1] == null ? 0 : values[1].length;
            ByteBuffer parts = ByteBuffer.allocate(Integer.BYTES + first + second);
            parts.putInt(values[0] == null ? NOTHING : first);
            for (byte[] value : values) {
                if (value != null) {
                    parts.put(value);
                }
            }
            state.update(parts.array());
        }
    }
}
