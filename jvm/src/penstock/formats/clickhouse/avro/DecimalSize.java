package penstock.formats.clickhouse.avro;

/**
 * The sizes in which ClickHouse keeps decimals.
 *
 * @param digits up to which it is used
 * @param bytes how many there are
 */
record DecimalSize(int digits, int bytes) {
    /** What a DateTime64 has as a decimal. */
    static final int TIME_DIGITS = 18;

    private static final DecimalSize[] ALL = {
        new DecimalSize(9, 4), new DecimalSize(18, 8), new DecimalSize(38, 16)};

    static DecimalSize of(int precision) {
        for (DecimalSize size : ALL) {
            if (precision <= size.digits) {
                return size;
            }
        }
        throw new IllegalArgumentException("There is no decimal of " + precision + " digits");
    }
}
