package penstock.functions.hash;

import org.apache.spark.unsafe.types.UTF8String;

/** Hashes of one text that other systems have, too. */
public final class PlainHashes {
    private PlainHashes() {}

    /** javaHash: Java's hash of a text, of its bytes. */
    public static int java(UTF8String text) {
        int hash = 0;
        for (byte b : text.getBytes()) {
            hash = 31 * hash + b;
        }
        return hash;
    }
}
