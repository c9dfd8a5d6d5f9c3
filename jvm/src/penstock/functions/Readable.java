package penstock.functions;

import java.math.BigDecimal;
import java.math.RoundingMode;
import org.apache.spark.unsafe.types.UTF8String;
import penstock.formats.clickhouse.FloatTexts;

/** formatReadableSize and its kind: a number in the largest unit that it has at least one of. */
public final class Readable {
    private static final double MOST_DIGITS = 1e21;

    private Readable() {}

    /** The number with two digits behind the point; the units stand between commas. */
    public static UTF8String text(double number, double base, UTF8String units) {
        String[] names = units.toString().split(",", -1);
        double value = number;
        int unit = 0;
        while (unit + 1 < names.length && Math.abs(value) >= base) {
            value /= base;
            unit++;
        }
        boolean isPlain = Math.abs(value) < MOST_DIGITS;
        // What is rounded to 0 keeps its sign.
        String sign = Math.copySign(1, value) < 0 && value >= -0.005 ? "-" : "";
        String digits = !isPlain ? FloatTexts.wide(value).toString()
                : sign + new BigDecimal(value).setScale(2, RoundingMode.HALF_EVEN).toPlainString();
        return UTF8String.fromString(digits + (names[unit].isEmpty() ? "" : " " + names[unit]));
    }
}
