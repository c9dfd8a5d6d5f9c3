package penstock.formats;

/** Decimal digits in arrays of characters and bytes. */
final class Digits {
    private Digits() {}

    /** The number that two digits spell, negative if they are not digits. */
    static int two(char[] chars, int at) {
        int tens = chars[at] - '0';
        int ones = chars[at + 1] - '0';
        return tens < 0 || tens > 9 || ones < 0 || ones > 9 ? -1 : tens * 10 + ones;
    }

    /** Writes a number below 100 as two digits. */
    static void two(int number, byte[] target, int at) {
        target[at] = (byte) ('0' + number / 10);
        target[at + 1] = (byte) ('0' + number % 10);
    }

    /** Writes an ASCII text and returns where it ends. */
    @SuppressWarnings("deprecation") // The only copy without a charset; the text is ASCII.
    static int ascii(String text, byte[] target, int at) {
        text.getBytes(0, text.length(), target, at);
        return at + text.length();
    }
}
