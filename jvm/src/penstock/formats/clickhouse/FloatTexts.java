package penstock.formats.clickhouse;

import com.fasterxml.jackson.core.io.NumberOutput;
import java.math.BigDecimal;
import org.apache.spark.unsafe.types.UTF8String;

/** Float32 and Float64 as ClickHouse writes them: the fewest digits that give the number back. */
public final class FloatTexts {
    private static final double MIN_PLAIN = 1e-6;
    private static final double MAX_PLAIN = 1e21;

    private FloatTexts() {}

    /** The function of Spark SQL for Float64. */
    public static UTF8String wide(double number) {
        return UTF8String.fromString(of(number));
    }

    /** The function of Spark SQL for Float32. */
    public static UTF8String narrow(float number) {
        return UTF8String.fromString(of(number));
    }

    static String of(double number) {
        // Java's own texts had more digits before version 19.
        return text(number, NumberOutput.toString(number, true));
    }

    static String of(float number) {
        return text(number, NumberOutput.toString(number, true));
    }

    /** The shortest digits, which came in Java's form, in ClickHouse's. */
    private static String text(double number, String shortest) {
        if (Double.isNaN(number)) {
            return "nan";
        }
        if (Double.isInfinite(number)) {
            return number > 0 ? "inf" : "-inf";
        }
        if (shortest.endsWith(".0")) {
            return shortest.substring(0, shortest.length() - 2);
        }
        int exponent = shortest.indexOf('E');
        if (exponent < 0) {
            return shortest;
        }
        double size = Math.abs(number);
        if (size >= MIN_PLAIN && size < MAX_PLAIN) {
            return new BigDecimal(shortest).stripTrailingZeros().toPlainString();
        }
        String digits = shortest.substring(0, exponent);
        return (digits.endsWith(".0") ? digits.substring(0, digits.length() - 2) : digits) + "e"
                + shortest.substring(exponent + 1);
    }
}
