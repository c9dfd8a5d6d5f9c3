package penstock.operators.aggregate;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.types.DecimalType;
import penstock.operators.Saved;

/** SUM and AVG of numbers; NULL where no value is there. */
abstract class SumAccumulator extends Accumulator {
    private long count;

    /** The sum of values of a type, as a result of another. */
    static SumAccumulator of(DataType value, DataType result, boolean lenient, boolean retracts) {
        if (result instanceof DecimalType) {
            return new Exact((DecimalType) value, (DecimalType) result, lenient);
        }
        return result.equals(DataTypes.LongType)
                ? new Whole(Numbers.of(value)) : floating(value, false, retracts);
    }

    /** The average of values of a type, as a DOUBLE. */
    static SumAccumulator average(DataType value, boolean retracts) {
        return floating(value, true, retracts);
    }

    private static SumAccumulator floating(DataType value, boolean average, boolean retracts) {
        Numbers numbers = Numbers.of(value);
        return retracts ? new Unrounded(numbers, average) : new Floating(numbers, average);
    }

    @Override
    void clear() {
        count = 0;
        reset();
    }

    @Override
    void load(DataInput in) throws IOException {
        count = in.readLong();
        read(in);
    }

    @Override
    void save(DataOutput out) throws IOException {
        out.writeLong(count);
        write(out);
    }

    @Override
    final void add(InternalRow row) {
        if (!row.isNullAt(0)) {
            count++;
            change(row, 1);
        }
    }

    @Override
    final void retract(InternalRow row) {
        if (!row.isNullAt(0)) {
            count--;
            change(row, -1);
        }
    }

    @Override
    final Object result() {
        return count == 0 ? null : value(count);
    }

    abstract void reset();

    abstract void read(DataInput in) throws IOException;

    abstract void write(DataOutput out) throws IOException;

    abstract void change(InternalRow row, int sign);

    abstract Object value(long count);

    private static final class Whole extends SumAccumulator {
        private final Numbers numbers;
        private long sum;

        Whole(Numbers numbers) {
            this.numbers = numbers;
        }

        @Override
        void reset() {
            sum = 0;
        }

        @Override
        void read(DataInput in) throws IOException {
            sum = in.readLong();
        }

        @Override
        void write(DataOutput out) throws IOException {
            out.writeLong(sum);
        }

        @Override
        void change(InternalRow row, int sign) {
            long value = numbers.whole(row);
            // Wraps around and back again: a sum that fits is right whatever came in between.
            sum = sign > 0 ? sum + value : sum - value;
        }

        @Override
        Object value(long count) {
            return sum;
        }
    }

    /** One number after the other, as Flink sums up rows that stay. */
    private static final class Floating extends SumAccumulator {
        private final Numbers numbers;
        private final boolean average;
        private double sum;

        Floating(Numbers numbers, boolean average) {
            this.numbers = numbers;
            this.average = average;
        }

        @Override
        void reset() {
            sum = 0;
        }

        @Override
        void read(DataInput in) throws IOException {
            sum = in.readDouble();
        }

        @Override
        void write(DataOutput out) throws IOException {
            out.writeDouble(sum);
        }

        @Override
        void change(InternalRow row, int sign) {
            sum += sign * numbers.floating(row);
        }

        @Override
        Object value(long count) {
            return average ? sum / count : sum;
        }
    }

    /** Of numbers that may go, in any order. */
    private static final class Unrounded extends SumAccumulator {
        private final Numbers numbers;
        private final boolean average;
        private final ExactSum sum = new ExactSum();

        Unrounded(Numbers numbers, boolean average) {
            this.numbers = numbers;
            this.average = average;
        }

        @Override
        void reset() {
            sum.clear();
        }

        @Override
        void read(DataInput in) throws IOException {
            sum.load(in);
        }

        @Override
        void write(DataOutput out) throws IOException {
            sum.save(out);
        }

        @Override
        void change(InternalRow row, int sign) {
            sum.change(numbers.floating(row), sign);
        }

        @Override
        Object value(long count) {
            return average ? sum.value() / count : sum.value();
        }
    }

    private static final class Exact extends SumAccumulator {
        private final DecimalType value;
        private final DecimalType result;
        private final boolean lenient;
        private BigInteger sum = BigInteger.ZERO;

        Exact(DecimalType value, DecimalType result, boolean lenient) {
            this.value = value;
            this.result = result;
            this.lenient = lenient;
        }

        @Override
        void reset() {
            sum = BigInteger.ZERO;
        }

        @Override
        void read(DataInput in) throws IOException {
            sum = new BigInteger(Saved.bytes(in));
        }

        @Override
        void write(DataOutput out) throws IOException {
            Saved.putBytes(out, sum.toByteArray());
        }

        @Override
        void change(InternalRow row, int sign) {
            BigInteger unscaled = row.getDecimal(0, value.precision(), value.scale())
                    .toJavaBigDecimal().unscaledValue();
            sum = sign > 0 ? sum.add(unscaled) : sum.subtract(unscaled);
        }

        @Override
        Object value(long count) {
            BigDecimal exact = new BigDecimal(sum, value.scale());
            if (exact.precision() <= result.precision()) {
                return Decimal.apply(exact, result.precision(), result.scale());
            }
            if (lenient) {
                return null;
            }
            throw new ArithmeticException("A sum of " + exact.precision() + " digits does not fit "
                    + "into " + result.sql());
        }
    }
}
