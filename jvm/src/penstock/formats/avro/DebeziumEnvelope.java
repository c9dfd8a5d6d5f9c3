package penstock.formats.avro;

import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.unsafe.types.UTF8String;

/** The record of a Debezium message: a row before and after a change, and which change it was. */
final class DebeziumEnvelope {
    static final int BEFORE = 0;
    static final int AFTER = 1;
    static final int OPERATION = 2;
    static final UTF8String CREATE = UTF8String.fromString("c");
    static final UTF8String DELETE = UTF8String.fromString("d");

    private DebeziumEnvelope() {}

    /** The type of it for rows of a type. */
    static StructType of(StructType row) {
        return new StructType().add("before", row).add("after", row)
                .add("op", DataTypes.StringType);
    }
}
