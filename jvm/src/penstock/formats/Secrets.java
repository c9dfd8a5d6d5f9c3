package penstock.formats;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What formats need and no text may hold: SQL calls a secret by a name, and Python puts the value
 * here while the expression is analysed. From then on it is with the codec, also on executors.
 */
public final class Secrets {
    private static final Map<String, String> VALUES = new ConcurrentHashMap<>();
    private static final AtomicLong COUNT = new AtomicLong();

    private Secrets() {}

    /** Keeps a value; the name it has from now on, which no other value has ever had. */
    public static String keep(String placeholder, String value) {
        String name = placeholder + "#" + COUNT.incrementAndGet();
        VALUES.put(name, value);
        return name;
    }

    /** A name stands for nothing any more. */
    public static void forget(String name) {
        VALUES.remove(name);
    }

    /** What a name stands for; a text that is none stands for itself. */
    static String revealed(String text) {
        return VALUES.getOrDefault(text, text);
    }
}
