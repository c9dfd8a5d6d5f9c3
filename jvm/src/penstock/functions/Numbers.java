package penstock.functions;

import org.apache.spark.sql.types.Decimal;

/** Conversions of numbers that Spark SQL refuses; no argument is null. */
public final class Numbers {
    private Numbers() {}

    /** The whole part's lower 64 bits. */
    public static long lowerBits(Decimal value) {
        return value.toJavaBigDecimal().longValue();
    }
}
