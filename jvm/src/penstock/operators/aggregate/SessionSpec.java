package penstock.operators.aggregate;

import java.io.Serializable;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/**
 * Which rows of a group are one session.
 *
 * @param window the name of the column that says when a session begins and ends
 * @param time the column with the time of a row
 * @param gapMillis how long nothing comes before a session is over
 * @param atEnd whether all rows are there at once, and no watermark
 */
public record SessionSpec(String window, String time, long gapMillis, boolean atEnd)
        implements Serializable {
    static final StructType BOUNDS = new StructType()
            .add("start", DataTypes.TimestampType, false).add("end", DataTypes.TimestampType, false);
}
