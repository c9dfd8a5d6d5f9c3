package penstock.kafka.source;

import java.io.Serializable;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;
import penstock.kafka.deadletters.LetterSpec;
import penstock.watermark.TableKey;

/**
 * What is asked of a table beyond what Spark's own source knows: {@code penstock.traffic} (the name
 * its rows are counted under), {@code penstock.leaderEpoch}, {@code penstock.parallelism} (tasks per
 * batch, at most), {@code penstock.mostLeftOut}, and for a table with a watermark {@code
 * penstock.query}, {@code penstock.scan}, {@code penstock.idleTimeoutMs} and {@code penstock.ends}
 * (offsets behind which nothing is of use). See {@link LetterSpec} for those of dead letters.
 *
 * @param table under whose name messages that cannot be read are dealt with
 * @param watermark the table whose watermark the rows move, null where there is none
 * @param parallelism 0 for as many tasks as there are partitions
 * @param idleTimeoutMs 0 for a partition that is never idle
 * @param mostLeftOut how many messages of a batch may be left out because they cannot be read
 * @param failOnDataLoss whether a topic may not be made anew
 * @param letters null where the table has no topic of dead letters
 * @param ends as JSON, null where the table has no end
 */
record ReadOptions(String traffic, String table, TableKey watermark, boolean headers, boolean leaderEpoch,
        int parallelism, long mostLeftOut, long idleTimeoutMs, boolean failOnDataLoss, String ends,
        LetterSpec letters) implements Serializable {

    static ReadOptions of(CaseInsensitiveStringMap options) {
        String scan = options.get("penstock.scan");
        return new ReadOptions(
                options.getOrDefault("penstock.traffic", ""),
                options.getOrDefault("penstock.table", ""),
                scan == null ? null : new TableKey(options.get("penstock.query"), scan),
                options.getBoolean("includeHeaders", false),
                options.getBoolean("penstock.leaderEpoch", false),
                options.getInt("penstock.parallelism", 0),
                options.getLong("penstock.mostLeftOut", Long.MAX_VALUE),
                options.getLong("penstock.idleTimeoutMs", 0),
                options.getBoolean("failOnDataLoss", true),
                options.get("penstock.ends"),
                LetterSpec.of(options.asCaseSensitiveMap()));
    }
}
