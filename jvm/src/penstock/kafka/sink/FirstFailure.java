package penstock.kafka.sink;

import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.RecordMetadata;

/** What went wrong first with the records of a task; the producer's thread tells it. */
public final class FirstFailure implements Callback {
    private volatile Exception error;

    @Override
    public void onCompletion(RecordMetadata where, Exception failed) {
        if (failed != null && error == null) {
            error = failed;
        }
    }

    /** Null if all is well so far. */
    public Exception get() {
        return error;
    }
}
