package penstock.operators.rank;

/**
 * A row that goes out.
 *
 * @param row the packed row
 * @param number its number; of equal rows that are numbered one after the other, the first one's
 * @param count how often it goes out
 */
record Placed(byte[] row, long number, long count) {}
