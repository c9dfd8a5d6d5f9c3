package penstock.catalyst;

import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.unsafe.Platform;

/** Rows as bytes, in Spark's own binary form: compared, kept and copied without a look inside. */
public final class Packed {
    private Packed() {}

    /** A copy of the bytes of a row, whose own buffer is used for the next one. */
    public static byte[] bytes(UnsafeRow row) {
        byte[] bytes = new byte[row.getSizeInBytes()];
        Platform.copyMemory(row.getBaseObject(), row.getBaseOffset(), bytes,
                Platform.BYTE_ARRAY_OFFSET, bytes.length);
        return bytes;
    }

    /** The row of these bytes, which must not change while it is used. */
    public static UnsafeRow row(byte[] bytes, int fields) {
        UnsafeRow row = new UnsafeRow(fields);
        row.pointTo(bytes, Platform.BYTE_ARRAY_OFFSET, bytes.length);
        return row;
    }
}
