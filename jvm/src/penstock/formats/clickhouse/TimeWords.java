package penstock.formats.clickhouse;

import java.util.List;
import java.util.Map;

/** The words of times, in lower case: months and weekdays are whole or cut to three letters. */
final class TimeWords {
    private static final List<String> MONTHS = List.of("january", "february", "march", "april",
            "may", "june", "july", "august", "september", "october", "november", "december");
    private static final List<String> WEEKDAYS = List.of("monday", "tuesday", "wednesday",
            "thursday", "friday", "saturday", "sunday");
    private static final Map<String, Integer> ZONES =
            Map.of("utc", 0, "gmt", 0, "msk", 3, "msd", 4);

    private TimeWords() {}

    /** From 1; 0 if the word is no month. */
    static int month(String word) {
        return place(word, MONTHS);
    }

    static boolean isWeekday(String word) {
        return place(word, WEEKDAYS) > 0;
    }

    /** Hours east of Greenwich, null if the word is no zone. */
    static Integer offset(String word) {
        return ZONES.get(word);
    }

    private static int place(String word, List<String> names) {
        for (int i = 0; i < names.size(); i++) {
            String name = names.get(i);
            if (word.equals(name) || word.length() == 3 && name.startsWith(word)) {
                return i + 1;
            }
        }
        return 0;
    }
}
