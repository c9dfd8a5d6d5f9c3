package penstock.formats.avro;

import java.io.IOException;
import org.apache.avro.io.Encoder;
import org.apache.spark.sql.catalyst.expressions.SpecializedGetters;

/** Writes a value of one SQL type as one Avro schema says. */
@FunctionalInterface
public interface AvroWriter {
    /** Writes the value at a position of a row or an array. */
    void write(SpecializedGetters values, int position, Encoder out) throws IOException;
}
