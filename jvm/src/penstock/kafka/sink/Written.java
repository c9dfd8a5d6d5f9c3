package penstock.kafka.sink;

import org.apache.spark.sql.connector.write.WriterCommitMessage;
import penstock.kafka.Traffic;

/** What a task wrote, told to the driver. */
record Written(long rows, long bytes) implements WriterCommitMessage {
    /** Add up what the tasks of a batch wrote. */
    static void count(String traffic, WriterCommitMessage[] messages) {
        Traffic table = Traffic.of(traffic);
        for (WriterCommitMessage message : messages) {
            if (message instanceof Written written) {
                table.wrote(written.rows, written.bytes);
            }
        }
    }
}
