package penstock.catalyst;

import org.apache.spark.TaskContext;

/**
 * {@code penstock_batch()}: the number of the micro-batch that a row is read in, 0 outside streams.
 *
 * <p>A batch that is run again has the number it had, and the batches of a checkpoint go on
 * counting. It is the same for all rows of a task, so that Spark may move conditions past it.
 */
public final class BatchNumber extends TaskNumber {
    static final String NAME = "penstock_batch";
    private static final long serialVersionUID = 1L;
    // What Spark tells the tasks of a micro-batch: MicroBatchExecution.BATCH_ID_KEY.
    private static final String PROPERTY = "streaming.sql.batchId";

    private transient long batch;

    public BatchNumber() {
        super(NAME);
    }

    @Override
    void begin(TaskContext running) {
        String told = running == null ? null : running.getLocalProperty(PROPERTY);
        batch = told == null ? 0 : Long.parseLong(told);
    }

    @Override
    long number() {
        return batch;
    }
}
