package penstock.functions;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.catalyst.util.GenericArrayData;
import org.apache.spark.unsafe.types.UTF8String;

/**
 * Functions of Java's regular expressions; no argument is null.
 *
 * <p>An expression that cannot be compiled gives null, and false where a boolean is due.
 */
public final class Regexes {
    private static final ThreadCache<Pattern> PATTERNS = new ThreadCache<>(Pattern::compile);

    private Regexes() {}

    private static Matcher matcher(UTF8String text, UTF8String regex) {
        try {
            return PATTERNS.get(regex).matcher(text.toString());
        } catch (PatternSyntaxException e) {
            return null;
        }
    }

    /** REGEXP: whether a part of the text matches; never an empty expression. */
    public static boolean find(UTF8String text, UTF8String regex) {
        Matcher matcher = regex.numBytes() == 0 ? null : matcher(text, regex);
        return matcher != null && matcher.find();
    }

    /** SIMILAR TO, with the pattern made a regular expression: whether all of the text matches. */
    public static boolean matches(UTF8String text, UTF8String regex) {
        Matcher matcher = matcher(text, regex);
        if (matcher == null) {
            throw new IllegalArgumentException("Invalid regular expression '" + regex + "'");
        }
        return matcher.matches();
    }

    /** REGEXP_COUNT. */
    public static Integer count(UTF8String text, UTF8String regex) {
        Matcher matcher = matcher(text, regex);
        return matcher == null ? null : Integer.valueOf((int) matcher.results().count());
    }

    /** REGEXP_INSTR: the place of the first match, from 1, or 0. */
    public static Integer position(UTF8String text, UTF8String regex) {
        Matcher matcher = matcher(text, regex);
        if (matcher == null) {
            return null;
        }
        return matcher.find() ? matcher.start() + 1 : 0;
    }

    /** REGEXP_EXTRACT and REGEXP_SUBSTR: a group of the first match. */
    public static UTF8String extract(UTF8String text, UTF8String regex, int group) {
        Matcher matcher = matcher(text, regex);
        boolean known = matcher != null && group >= 0 && group <= matcher.groupCount();
        return known && matcher.find() ? UTF8String.fromString(matcher.group(group)) : null;
    }

    /** REGEXP_EXTRACT_ALL: a group of every match. */
    public static ArrayData extractAll(UTF8String text, UTF8String regex, long group) {
        Matcher matcher = matcher(text, regex);
        if (matcher == null || group < 0 || group > matcher.groupCount()) {
            return null;
        }
        List<UTF8String> found = new ArrayList<>();
        while (matcher.find()) {
            found.add(UTF8String.fromString(matcher.group((int) group)));
        }
        return new GenericArrayData(found.toArray());
    }

    /** REGEXP_REPLACE: the replacement stands for itself. */
    public static UTF8String replace(UTF8String text, UTF8String regex, UTF8String replacement) {
        Matcher matcher = matcher(text, regex);
        return matcher == null ? null : UTF8String.fromString(
                matcher.replaceAll(Matcher.quoteReplacement(replacement.toString())));
    }

    /** ClickHouse's replaceRegexpOne: {@code $1} in the replacement is a group. */
    public static UTF8String replaceFirst(
            UTF8String text, UTF8String regex, UTF8String replacement) {
        Matcher matcher = PATTERNS.get(regex).matcher(text.toString());
        return UTF8String.fromString(matcher.replaceFirst(replacement.toString()));
    }
}
