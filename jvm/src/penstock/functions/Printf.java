package penstock.functions;

import java.io.Serializable;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.IllegalFormatException;
import java.util.Locale;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.unsafe.types.UTF8String;

/** PRINTF: Java's format with the fields of a row; null if the format does not fit them. */
public final class Printf implements Serializable {
    private static final long serialVersionUID = 1L;
    private static final long MICROS = 1_000_000L;

    /** The only field of a row that stands for no value. */
    private static final String NONE = "none";

    /** A value that only %s takes, as Flink's own decimals and times. */
    private static final class Shown {
        private final String text;

        Shown(String text) {
            this.text = text;
        }

        @Override
        public String toString() {
            return text;
        }
    }

    private final StructType schema;

    /** The types of the values. */
    public Printf(StructType schema) {
        this.schema = schema;
    }

    /** The text. */
    public UTF8String format(UTF8String format, InternalRow row) {
        Object[] values = new Object[schema.fieldNames()[0].equals(NONE) ? 0 : schema.length()];
        for (int i = 0; i < values.length; i++) {
            values[i] = value(row, i, schema.fields()[i].dataType());
        }
        try {
            return UTF8String.fromString(String.format(Locale.US, format.toString(), values));
        } catch (IllegalFormatException e) {
            return null;
        }
    }

    private static Object value(InternalRow row, int position, DataType type) {
        Object value = row.isNullAt(position) ? null : row.get(position, type);
        if (value instanceof Decimal) {
            return new Shown(((Decimal) value).toJavaBigDecimal().toPlainString());
        }
        boolean moment = type.equals(DataTypes.TimestampType)
                || type.equals(DataTypes.TimestampNTZType);
        return value == null || !moment ? value : new Shown(LocalDateTime.ofEpochSecond(
                Math.floorDiv((long) value, MICROS),
                (int) Math.floorMod((long) value, MICROS) * 1000, ZoneOffset.UTC).toString());
    }
}
