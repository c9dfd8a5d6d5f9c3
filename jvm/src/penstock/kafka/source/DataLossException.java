package penstock.kafka.source;

import org.apache.kafka.common.TopicPartition;

/**
 * Messages are gone that were not read yet. Its text is one line: {@code PENSTOCK_DATA_LOSS topic=…
 * partition=… wanted=… earliest=…}.
 */
public final class DataLossException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    DataLossException(TopicPartition place, long wanted, long earliest, Throwable cause) {
        super("PENSTOCK_DATA_LOSS topic=" + place.topic() + " partition=" + place.partition()
                + " wanted=" + wanted + " earliest=" + earliest, cause);
    }
}
