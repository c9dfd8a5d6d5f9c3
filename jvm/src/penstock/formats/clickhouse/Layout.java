package penstock.formats.clickhouse;

import org.apache.spark.unsafe.types.UTF8String;
import penstock.formats.Utf8Buffer;

/** How a value stands in a message: what encloses and escapes it, and what is written for NULL. */
interface Layout {
    /** Whether arrays, maps and tuples are JSON's, not ClickHouse's own texts. */
    default boolean isJson() {
        return false;
    }

    /** Whether a container stands in it as a string that holds its text. */
    default boolean wrapsContainers() {
        return false;
    }

    /** Whether a minus before an unsigned number is an error, and not the end of the number. */
    default boolean refusesMinus() {
        return false;
    }

    /** Goes over NULL, if that is what stands next. */
    boolean acceptNull(Input in);

    /** A string, without what encloses it. */
    UTF8String string(Input in);

    /** Goes over the mark before a number; what is given is expected after it, 0 for nothing. */
    default char openNumber(Input in) {
        return 0;
    }

    /** Goes over the mark before a date, a time, an address; as {@link #openNumber}. */
    default char openText(Input in) {
        return openNumber(in);
    }

    /** Whether what stands next is a number and not the text of a time. */
    default boolean isNumber(Input in) {
        return false;
    }

    /** The text up to the mark that closes it or up to the next value. */
    Input token(Input in, char close);

    /** Writes NULL. */
    void writeNull(Utf8Buffer out);

    /** Writes a string with what encloses it. */
    void write(UTF8String text, Utf8Buffer out);

    /** Writes what stands on both sides of a date, a time, an address. */
    default void writeMark(Utf8Buffer out) {}
}
