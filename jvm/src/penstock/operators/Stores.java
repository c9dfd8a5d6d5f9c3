package penstock.operators;

import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.streaming.MapState;
import org.apache.spark.sql.streaming.StatefulProcessorHandle;
import org.apache.spark.sql.streaming.TTLConfig;

/** Opens the maps of an operator's state, in the order in which its parts ask for them. */
public final class Stores {
    private final StatefulProcessorHandle handle;
    private final TTLConfig ttl;
    private int maps;
    private int deques;

    /** Maps whose entries live for a time. */
    public Stores(StatefulProcessorHandle handle, TTLConfig ttl) {
        this.handle = handle;
        this.ttl = ttl;
    }

    /** Whether what nothing touches is forgotten. */
    public boolean expire() {
        return ttl.ttlDuration().toMillis() > 0;
    }

    /** A map of numbers by value. */
    public MapState<byte[], Long> numbers() {
        return handle.getMapState("values" + maps++, Encoders.BINARY(), Encoders.LONG(), ttl);
    }

    /** Rows one behind the other. */
    public RowDeque rows() {
        return new RowDeque(handle.getMapState(
                "rows" + deques++, Encoders.LONG(), Encoders.BINARY(), ttl));
    }
}
