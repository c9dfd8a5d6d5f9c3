package penstock.functions.time;

import java.nio.charset.StandardCharsets;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.spark.unsafe.types.UTF8String;
import penstock.functions.ThreadCache;

/** parseDateTime: a text read by MySQL's letters, each in its width. */
public final class ScannedTimes {
    private static final int LAST_YEAR = 2106;
    private static final long LAST_SECOND = 0xFFFF_FFFFL;
    private static final long MICROS = 1_000_000;
    private static final String[] MONTHS = {
        "January", "February", "March", "April", "May", "June", "July", "August", "September",
        "October", "November", "December"};
    private static final String[] DAYS = {
        "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"};
    // letter → other letters that it stands for
    private static final Map<Character, String> LONG = Map.of('F', "%Y-%m-%d", 'T', "%H:%i:%S",
            'D', "%m/%d/%y", 'R', "%H:%i", 'r', "%h:%i %p");
    private static final Map<Character, Consumer<ScannedTime>> LETTERS = new HashMap<>();

    static {
        LETTERS.put('Y', time -> time.year = time.number(4, 1970, LAST_YEAR));
        LETTERS.put('y', time -> {
            int year = time.number(2, 0, 99);
            time.year = year + (year >= 70 ? 1900 : 2000);
        });
        LETTERS.put('m', time -> month(time, time.number(2, 1, 12)));
        LETTERS.put('c', LETTERS.get('m'));
        LETTERS.put('M', time -> month(time, 1 + time.word(MONTHS)));
        LETTERS.put('b', time -> month(time, 1 + time.word(cut(MONTHS))));
        LETTERS.put('d', time -> day(time, time.number(2, 1, 31)));
        LETTERS.put('e', time -> day(time, time.padded(1, 31)));
        LETTERS.put('j', time -> {
            time.dayOfYear = time.number(3, 1, 366);
            time.dayOf = ScannedTime.DayOf.YEAR;
        });
        LETTERS.put('a', time -> weekday(time, 1 + time.word(cut(DAYS))));
        LETTERS.put('W', time -> weekday(time, 1 + time.word(DAYS)));
        LETTERS.put('u', time -> weekday(time, time.number(1, 1, 7)));
        LETTERS.put('w', time -> weekday(time, (time.number(1, 0, 6) + 6) % 7 + 1));
        LETTERS.put('G', time -> time.year = time.number(4, 1970, LAST_YEAR));
        LETTERS.put('V', time -> {
            time.isoWeek = time.number(2, 1, 53);
            time.dayOf = ScannedTime.DayOf.WEEK;
        });
        LETTERS.put('H', time -> hour(time, time.number(2, 0, 23), false));
        LETTERS.put('k', time -> hour(time, time.padded(0, 23), false));
        LETTERS.put('h', time -> hour(time, time.number(2, 1, 12), true));
        LETTERS.put('I', LETTERS.get('h'));
        LETTERS.put('l', time -> hour(time, time.padded(1, 12), true));
        LETTERS.put('p', time -> time.afternoon = time.word("AM", "PM") == 1);
        LETTERS.put('i', time -> time.minute = time.number(2, 0, 59));
        LETTERS.put('s', time -> time.second = time.number(2, 0, 59));
        LETTERS.put('S', LETTERS.get('s'));
        LETTERS.put('f', time -> time.number(6, 0, 999_999));
        LETTERS.put('z', ScannedTime::offset);
        LETTERS.put('n', time -> time.expect((byte) '\n'));
        LETTERS.put('t', time -> time.expect((byte) '\t'));
        LETTERS.put('%', time -> time.expect((byte) '%'));
    }

    private static final ThreadCache<List<Consumer<ScannedTime>>> FORMATS =
            new ThreadCache<>(format -> {
                List<Consumer<ScannedTime>> steps = new ArrayList<>();
                compile(format.getBytes(StandardCharsets.UTF_8), steps);
                return steps;
            });
    private static final ThreadCache<ZoneId> ZONES = new ThreadCache<>(ZoneId::of);

    private ScannedTimes() {}

    /** Microseconds since 1970, null if the text does not fit or is no DateTime. */
    public static Long micros(UTF8String text, UTF8String format, UTF8String zone) {
        ScannedTime time = new ScannedTime(text.getBytes());
        try {
            FORMATS.get(format).forEach(step -> step.accept(time));
            long seconds = time.seconds(ZONES.get(zone));
            return seconds < 0 || seconds > LAST_SECOND ? null : (Long) (seconds * MICROS);
        } catch (RuntimeException e) {
            if (e != ScannedTime.FAILED) {
                throw e;
            }
            return null;
        }
    }

    private static void compile(byte[] format, List<Consumer<ScannedTime>> steps) {
        for (int i = 0; i < format.length; i++) {
            char letter = format[i] == '%' && i + 1 < format.length ? (char) format[++i] : 0;
            byte plain = format[i];
            if (LONG.containsKey(letter)) {
                compile(LONG.get(letter).getBytes(StandardCharsets.UTF_8), steps);
            } else {
                steps.add(letter == 0 ? time -> time.expect(plain) : LETTERS.get(letter));
            }
        }
    }

    private static void month(ScannedTime time, int month) {
        time.month = month;
        time.dayOf = ScannedTime.DayOf.MONTH;
    }

    private static void day(ScannedTime time, int day) {
        time.day = day;
        time.dayOf = ScannedTime.DayOf.MONTH;
    }

    private static void weekday(ScannedTime time, int weekday) {
        time.weekday = weekday;
        time.dayOf = ScannedTime.DayOf.WEEK;
    }

    private static void hour(ScannedTime time, int hour, boolean isHalfDay) {
        time.hour = hour;
        time.isHalfDay = isHalfDay;
    }

    private static String[] cut(String[] words) {
        String[] found = new String[words.length];
        for (int i = 0; i < words.length; i++) {
            found[i] = words[i].substring(0, 3);
        }
        return found;
    }
}
