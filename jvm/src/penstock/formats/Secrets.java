package penstock.formats;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What formats need and no text may hold: SQL names a secret by a placeholder, and Python puts the
 * value here while the expression is analysed. From then on it is with the codec, also on executors.
 */
public final class Secrets {
    private static final Map<String, String> VALUES = new ConcurrentHashMap<>();

    private Secrets() {}

    /** From now on a placeholder stands for a value. */
    public static void keep(String placeholder, String value) {
        VALUES.put(placeholder, value);
    }

    /** A placeholder stands for nothing any more. */
    public static void forget(String placeholder) {
        VALUES.remove(placeholder);
    }

    /** What a placeholder stands for; a text that is none stands for itself. */
    static String revealed(String text) {
        return VALUES.getOrDefault(text, text);
    }
}
