package penstock.operators.aggregate;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.math.BigInteger;
import penstock.operators.Saved;

/**
 * A sum of floating numbers without rounding: a number that goes leaves nothing behind, be it far
 * larger than the others, infinite or none.
 *
 * <p>The sum is {@code units} times two to the power of {@code exponent}.
 */
final class ExactSum {
    private static final int FRACTION_BITS = 52;
    private static final long FRACTION = (1L << FRACTION_BITS) - 1;
    // More than a double has: what is cut off then decides no more than a tie.
    private static final int ROUNDED_BITS = 64;

    private BigInteger units = BigInteger.ZERO;
    private int exponent;
    private long nans;
    private long infinite;
    private long minusInfinite;

    void clear() {
        units = BigInteger.ZERO;
        exponent = 0;
        nans = 0;
        infinite = 0;
        minusInfinite = 0;
    }

    void load(DataInput in) throws IOException {
        units = new BigInteger(Saved.bytes(in));
        exponent = in.readInt();
        nans = in.readLong();
        infinite = in.readLong();
        minusInfinite = in.readLong();
    }

    void save(DataOutput out) throws IOException {
        Saved.putBytes(out, units.toByteArray());
        out.writeInt(exponent);
        out.writeLong(nans);
        out.writeLong(infinite);
        out.writeLong(minusInfinite);
    }

    /** A number comes, or goes where the sign is negative. */
    void change(double value, int sign) {
        if (Double.isFinite(value)) {
            add(BigInteger.valueOf(sign * mantissa(value)), power(value));
        } else {
            note(value, sign);
        }
    }

    /** The square of a number comes or goes. */
    void changeSquare(double value, int sign) {
        if (Double.isFinite(value)) {
            BigInteger mantissa = BigInteger.valueOf(mantissa(value));
            BigInteger square = mantissa.multiply(mantissa);
            add(sign > 0 ? square : square.negate(), 2 * power(value));
        } else {
            note(value * value, sign);
        }
    }

    private void note(double value, int sign) {
        if (Double.isNaN(value)) {
            nans += sign;
        } else if (value > 0) {
            infinite += sign;
        } else {
            minusInfinite += sign;
        }
    }

    private void add(BigInteger more, int power) {
        if (more.signum() == 0) {
            return;
        }
        if (units.signum() == 0) {
            exponent = power;
        } else if (power < exponent) {
            units = units.shiftLeft(exponent - power);
            exponent = power;
        }
        units = units.add(more.shiftLeft(power - exponent));
    }

    /** The digits of a number as a whole one, without the zeros behind them. */
    private static long mantissa(double value) {
        long bits = Double.doubleToRawLongBits(value);
        long fraction = bits & FRACTION;
        long digits = Math.getExponent(value) < Double.MIN_EXPONENT
                ? fraction : fraction | (FRACTION + 1);
        digits >>= Long.numberOfTrailingZeros(digits | (FRACTION + 1));
        return bits < 0 ? -digits : digits;
    }

    private static int power(double value) {
        long fraction = Double.doubleToRawLongBits(value) & FRACTION;
        int least = Math.max(Math.getExponent(value), Double.MIN_EXPONENT) - FRACTION_BITS;
        return least + Long.numberOfTrailingZeros(fraction | (FRACTION + 1));
    }

    /** The double that is nearest to the sum. */
    double value() {
        return isFinite() ? rounded(units, exponent) : unusual();
    }

    /** Times {@code n}, less the square of another sum: what a variance is made of. */
    double timesLessSquare(long n, ExactSum other) {
        if (!isFinite() || !other.isFinite()) {
            return Double.NaN;
        }
        int power = Math.min(exponent, 2 * other.exponent);
        BigInteger times = units.multiply(BigInteger.valueOf(n)).shiftLeft(exponent - power);
        BigInteger square = other.units.multiply(other.units);
        return rounded(times.subtract(square.shiftLeft(2 * other.exponent - power)), power);
    }

    private boolean isFinite() {
        return nans == 0 && infinite == 0 && minusInfinite == 0;
    }

    private double unusual() {
        if (nans > 0 || (infinite > 0 && minusInfinite > 0)) {
            return Double.NaN;
        }
        return infinite > 0 ? Double.POSITIVE_INFINITY : Double.NEGATIVE_INFINITY;
    }

    private static double rounded(BigInteger units, int exponent) {
        BigInteger size = units.abs();
        int cut = Math.max(0, size.bitLength() - ROUNDED_BITS);
        BigInteger top = size.shiftRight(cut);
        if (cut > 0 && size.getLowestSetBit() < cut) {
            top = top.setBit(0);
        }
        return units.signum() * Math.scalb(top.doubleValue(), exponent + cut);
    }
}
