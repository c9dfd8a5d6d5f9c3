package penstock.functions;

import java.net.MalformedURLException;
import java.net.URL;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.catalyst.util.GenericArrayData;
import org.apache.spark.unsafe.types.UTF8String;

/** Functions of texts and bytes that Spark lacks or has otherwise; no argument is null. */
public final class Texts {
    private static final Map<String, Function<URL, String>> URL_PARTS = Map.of(
            "HOST", URL::getHost,
            "PATH", URL::getPath,
            "QUERY", URL::getQuery,
            "REF", URL::getRef,
            "PROTOCOL", URL::getProtocol,
            "FILE", URL::getFile,
            "AUTHORITY", URL::getAuthority,
            "USERINFO", URL::getUserInfo);

    private Texts() {}

    /** PARSE_URL(url, part): null for what is no URL or has no such part. */
    public static UTF8String urlPart(UTF8String url, UTF8String part) {
        Function<URL, String> getter = URL_PARTS.get(part.toString());
        try {
            return getter == null ? null
                    : UTF8String.fromString(getter.apply(new URL(url.toString())));
        } catch (MalformedURLException e) {
            return null;
        }
    }

    /** PARSE_URL(url, 'QUERY', key): the first value of the key, as it is written. */
    public static UTF8String urlParameter(UTF8String url, UTF8String part, UTF8String key) {
        UTF8String query = part.toString().equals("QUERY") ? urlPart(url, part) : null;
        if (query == null) {
            return null;
        }
        Matcher matcher = Pattern.compile("(?:&|^)" + Pattern.quote(key.toString()) + "=([^&]*)")
                .matcher(query.toString());
        return matcher.find() ? UTF8String.fromString(matcher.group(1)) : null;
    }

    /** ENCODE: what the character set lacks becomes its replacement. */
    public static byte[] encode(UTF8String text, UTF8String charset) {
        return text.toString().getBytes(Charset.forName(charset.toString()));
    }

    /** DECODE. */
    public static UTF8String decode(byte[] bytes, UTF8String charset) {
        return UTF8String.fromString(new String(bytes, Charset.forName(charset.toString())));
    }

    /** IS_VALID_UTF8. */
    public static boolean isUtf8(byte[] bytes) {
        try {
            StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes));
            return true;
        } catch (CharacterCodingException e) {
            return false;
        }
    }

    /** OVERLAY: a start outside the text changes nothing, a length below 1 drops the rest. */
    public static UTF8String overlay(UTF8String text, UTF8String by, long start, long length) {
        String old = text.toString();
        if (start <= 0 || start > old.length()) {
            return text;
        }
        long rest = start - 1 + length;
        boolean kept = length > 0 && rest < old.length();
        return UTF8String.fromString(old.substring(0, (int) start - 1) + by
                + (kept ? old.substring((int) rest) : ""));
    }

    /** OVERLAY without a length: as long as what is put in. */
    public static UTF8String overlay(UTF8String text, UTF8String by, long start) {
        return overlay(text, by, start, by.toString().length());
    }

    /** LPAD: cut or padded to a number of UTF-16 units; null below 0 or without a padding. */
    public static UTF8String padLeft(UTF8String text, int length, UTF8String padding) {
        return padded(text.toString(), length, padding.toString(), true);
    }

    /** RPAD. */
    public static UTF8String padRight(UTF8String text, int length, UTF8String padding) {
        return padded(text.toString(), length, padding.toString(), false);
    }

    private static UTF8String padded(String text, int length, String padding, boolean left) {
        if (length < 0 || padding.isEmpty()) {
            return null;
        }
        int missing = length - text.length();
        if (missing <= 0) {
            return UTF8String.fromString(text.substring(0, length));
        }
        String pad = padding.repeat(missing / padding.length() + 1).substring(0, missing);
        return UTF8String.fromString(left ? pad + text : text + pad);
    }

    /** FROM_BASE64: the bytes as they are; other characters fail. */
    public static UTF8String fromBase64(UTF8String text) {
        return UTF8String.fromBytes(Base64.getDecoder().decode(text.getBytes()));
    }

    /** UNHEX: null for other characters; the first of an odd number counts as nothing. */
    public static byte[] unhex(UTF8String text) {
        byte[] digits = text.getBytes();
        byte[] bytes = new byte[(digits.length + 1) / 2];
        int odd = digits.length % 2;
        for (int i = 0; i < digits.length; i++) {
            int digit = Character.digit((char) digits[i], 16);
            if (digit < 0) {
                return null;
            }
            if (i >= odd) {
                int target = (i + odd) / 2;
                bytes[target] = (byte) (bytes[target] << 4 | digit);
            }
        }
        return bytes;
    }

    /** SPLIT: at every separator, between all UTF-16 units for an empty one. */
    public static ArrayData split(UTF8String text, UTF8String separator) {
        String rest = text.toString();
        String by = separator.toString();
        List<UTF8String> parts = new ArrayList<>();
        if (by.isEmpty()) {
            rest.chars().forEach(c -> parts.add(UTF8String.fromString(String.valueOf((char) c))));
        } else if (!rest.isEmpty()) {
            for (int end; (end = rest.indexOf(by)) >= 0; rest = rest.substring(end + by.length())) {
                parts.add(UTF8String.fromString(rest.substring(0, end)));
            }
            parts.add(UTF8String.fromString(rest));
        }
        return new GenericArrayData(parts.toArray());
    }

    /** INET_ATON: one to four numbers of 0 to 255; the last one is the last byte. */
    public static Long addressNumber(UTF8String address) {
        String[] parts = address.toString().split("\\.", -1);
        if (parts.length > 4) {
            return null;
        }
        long number = 0;
        for (int i = 0; i < parts.length; i++) {
            if (!parts[i].matches("0*[0-9]{1,3}") || Integer.parseInt(parts[i]) > 255) {
                return null;
            }
            int place = i == parts.length - 1 ? 0 : 24 - 8 * i;
            number |= Long.parseLong(parts[i]) << place;
        }
        return number;
    }

    /** INET_NTOA: null outside 32 bits. */
    public static UTF8String addressText(long number) {
        return number < 0 || number > 0xFFFFFFFFL ? null
                : UTF8String.fromString((number >> 24) + "." + (number >> 16 & 255) + "."
                        + (number >> 8 & 255) + "." + (number & 255));
    }
}
