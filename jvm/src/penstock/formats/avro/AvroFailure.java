package penstock.formats.avro;

import java.io.IOException;
import org.apache.avro.AvroRuntimeException;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.catalyst.util.GenericArrayData;
import penstock.formats.BadMessageException;
import penstock.formats.FieldException;

/** Everything that can be wrong with the bytes of a message, as one kind of exception. */
final class AvroFailure {
    private AvroFailure() {}

    /** Gives the rows of a message. */
    interface Reading {
        ArrayData rows() throws IOException;
    }

    /** The rows of a message, or what there is to say against it, after words of the format's. */
    static ArrayData told(String words, byte[] message, Reading reading) {
        try {
            return reading.rows();
        } catch (FieldException e) {
            throw BadMessageException.of(e.path(), words + e.getMessage(), message);
        } catch (IOException | AvroRuntimeException | ArithmeticException e) {
            throw BadMessageException.of("", words + FieldException.firstLine(e), message);
        } catch (StackOverflowError e) {
            throw BadMessageException.of("", words + "It is nested too deeply.", message);
        }
    }

    /** A single row; none if the message says that there is no record. */
    static ArrayData only(Object row) {
        return row == null ? null : new GenericArrayData(new Object[] {row});
    }
}
