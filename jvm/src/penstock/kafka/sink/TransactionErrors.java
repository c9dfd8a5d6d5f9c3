package penstock.kafka.sink;

import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.errors.InvalidPidMappingException;
import org.apache.kafka.common.errors.InvalidProducerEpochException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.TransactionalIdAuthorizationException;

/** What Kafka says of a transaction, in words that say what to do. */
final class TransactionErrors {
    private TransactionErrors() {}

    static RuntimeException explained(SinkSpec spec, int task, RuntimeException error, long sinceMs) {
        String reason = reason(spec, task, error, sinceMs);
        return reason == null
                ? SinkException.sending(spec.table(), error)
                : SinkException.write(spec.table(), reason, error);
    }

    private static String reason(SinkSpec spec, int task, RuntimeException error, long sinceMs) {
        String id = spec.transactions().id(task);
        long limitMs = Long.parseLong(
                (String) spec.client().get(ProducerConfig.TRANSACTION_TIMEOUT_CONFIG));
        // The client hides the class of this one.
        if (String.valueOf(error.getMessage()).contains("transaction.max.timeout.ms")) {
            return "'properties.transaction.timeout.ms' = '" + limitMs + "' is more than the"
                    + " broker's 'transaction.max.timeout.ms' allows.";
        }
        if (is(error, TransactionalIdAuthorizationException.class)) {
            return "the user may not write with the transactional id '" + id + "'.";
        }
        if (!is(error, ProducerFencedException.class)
                && !is(error, InvalidProducerEpochException.class)
                && !is(error, InvalidPidMappingException.class)) {
            return null;
        }
        if (sinceMs >= limitMs) {
            return "a batch took longer than its transaction may (" + limitMs + " ms). Raise"
                    + " 'properties.transaction.timeout.ms', and the broker's"
                    + " 'transaction.max.timeout.ms' if it must be; keep later batches smaller with"
                    + " SET 'penstock.max-offsets-per-batch'.";
        }
        return "another producer took over its transactional id '" + id + "'. Is the job running"
                + " twice, or does another job use the same 'sink.transactional-id-prefix'?";
    }

    private static boolean is(Throwable error, Class<? extends Throwable> kind) {
        for (Throwable cause = error; cause != null; cause = cause.getCause()) {
            if (kind.isInstance(cause)) {
                return true;
            }
        }
        return false;
    }
}
