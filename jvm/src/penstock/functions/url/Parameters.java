package penstock.functions.url;

import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.catalyst.util.GenericArrayData;
import org.apache.spark.unsafe.types.UTF8String;

/** The parameters of a URL, and the URLs above it, as ClickHouse finds them in any text. */
public final class Parameters {
    private Parameters() {}

    /** extractURLParameters: `a=1`, also without a value unless it stands at the end. */
    public static ArrayData all(UTF8String url) {
        byte[] bytes = url.getBytes();
        List<UTF8String> found = new ArrayList<>();
        int at = find(bytes, 0, "?#") + 1;
        while (at > 0 && at < bytes.length) {
            int begin = at;
            at = find(bytes, begin, "=&#?");
            while (at < bytes.length && bytes[at] == '?') {
                begin = at + 1;
                at = find(bytes, begin, "=&#?");
            }
            if (at == bytes.length) {
                break;
            }
            int end = bytes[at] == '=' ? find(bytes, at + 1, "&#") : at;
            found.add(part(bytes, begin, end));
            at = end + 1;
        }
        return new GenericArrayData(found.toArray());
    }

    /** extractURLParameterNames. */
    public static ArrayData names(UTF8String url) {
        byte[] bytes = url.getBytes();
        List<UTF8String> found = new ArrayList<>();
        int at = find(bytes, 0, "?#");
        while (at + 1 < bytes.length) {
            int begin = at + 1;
            at = find(bytes, begin, "=&#?");
            while (at < bytes.length && bytes[at] == '?') {
                begin = at + 1;
                at = find(bytes, begin, "=&#?");
            }
            if (at == bytes.length) {
                break;
            }
            found.add(part(bytes, begin, at));
            at = find(bytes, at, "&#");
        }
        return new GenericArrayData(found.toArray());
    }

    /** URLHierarchy: the URL cut behind each part of its path. */
    public static ArrayData hierarchy(UTF8String url) {
        return cut(url.getBytes(), true);
    }

    /** URLPathHierarchy: as `hierarchy`, without the host. */
    public static ArrayData pathHierarchy(UTF8String url) {
        return cut(url.getBytes(), false);
    }

    private static ArrayData cut(byte[] bytes, boolean whole) {
        List<UTF8String> found = new ArrayList<>();
        int scheme = endOfScheme(bytes);
        boolean hasHost = scheme + 3 < bytes.length && bytes[scheme] == ':'
                && bytes[scheme + 1] == '/' && bytes[scheme + 2] == '/';
        int at = hasHost ? find(bytes, scheme + 3, "/?#") : bytes.length;
        int begin = whole ? 0 : at;
        if (whole && bytes.length > 0) {
            at = Math.min(at + 1, bytes.length);
            found.add(part(bytes, begin, at));
        }
        while (at < bytes.length) {
            while (at < bytes.length && isMark(bytes[at])) {
                at++;
            }
            if (at == bytes.length) {
                break;
            }
            at = Math.min(find(bytes, at, "/?#") + 1, bytes.length);
            found.add(part(bytes, begin, at));
        }
        return new GenericArrayData(found.toArray());
    }

    private static int endOfScheme(byte[] bytes) {
        int at = 0;
        while (at < bytes.length && bytes[at] > ' ' && bytes[at] < 127 && bytes[at] != ':'
                && !isMark(bytes[at]) && !Character.isUpperCase(bytes[at])) {
            at++;
        }
        return at;
    }

    private static boolean isMark(byte b) {
        return b == '/' || b == '?' || b == '#';
    }

    /** The first of these bytes from a place on, else the end. */
    private static int find(byte[] bytes, int from, String marks) {
        int at = from;
        while (at < bytes.length && marks.indexOf(bytes[at]) < 0) {
            at++;
        }
        return Math.min(at, bytes.length);
    }

    private static UTF8String part(byte[] bytes, int from, int to) {
        return UTF8String.fromBytes(bytes, from, to - from);
    }
}
