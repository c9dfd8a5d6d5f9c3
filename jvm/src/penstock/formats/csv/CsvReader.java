package penstock.formats.csv;

/** Reads the text of a field as a value of one SQL type. */
@FunctionalInterface
interface CsvReader {
    /** The value, which may be null. */
    Object read(String text);
}
