package penstock.formats.avro;

import java.io.IOException;
import org.apache.avro.io.Decoder;

/** Reads one value that a writer's schema wrote as a value of one SQL type. */
@FunctionalInterface
public interface AvroReader {
    /** The value the decoder stands at. */
    Object read(Decoder in) throws IOException;
}
