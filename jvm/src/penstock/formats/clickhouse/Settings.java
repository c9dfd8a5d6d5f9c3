package penstock.formats.clickhouse;

import java.util.Locale;
import penstock.formats.CodecOptions;

/** ClickHouse's settings of formats that a table may set, with the defaults of its Kafka engine. */
final class Settings {
    /** Which texts are read as dates with a time. */
    enum TimeInput { BASIC, BEST_EFFORT, BEST_EFFORT_US }

    /** How dates with a time are written. */
    enum TimeOutput { SIMPLE, ISO, UNIX_TIMESTAMP }

    /** How the names of columns are compared with those in messages. */
    enum Matching { MATCH_CASE, IGNORE_CASE, AUTO }

    private final CodecOptions options;

    Settings(CodecOptions options) {
        this.options = options;
    }

    boolean names() {
        return options.flag("names");
    }

    int skippedBytes() {
        return number("kafka_schema_registry_skip_bytes");
    }

    char delimiter() {
        return options.text("format_csv_delimiter", ",").charAt(0);
    }

    boolean doubleQuotes() {
        return options.flag("format_csv_allow_double_quotes", true);
    }

    boolean singleQuotes() {
        return options.flag("format_csv_allow_single_quotes");
    }

    String csvNull() {
        return options.text("format_csv_null_representation", "\\N");
    }

    String tsvNull() {
        return options.text("format_tsv_null_representation", "\\N");
    }

    boolean nullAsDefault() {
        return options.flag("input_format_null_as_default", true);
    }

    boolean skipUnknown() {
        return options.flag("input_format_skip_unknown_fields", true);
    }

    boolean nestedJson() {
        return options.flag("input_format_import_nested_json");
    }

    boolean useHeader() {
        return options.flag("input_format_with_names_use_header", true);
    }

    Matching matching() {
        String mode = options.text("input_format_column_name_matching_mode", "auto");
        return Matching.valueOf(mode.toUpperCase(Locale.ROOT));
    }

    TimeInput timeInput() {
        String forms = options.text("date_time_input_format", "best_effort");
        return TimeInput.valueOf(forms.toUpperCase(Locale.ROOT));
    }

    String trueText() {
        return options.text("bool_true_representation", "true");
    }

    String falseText() {
        return options.text("bool_false_representation", "false");
    }

    boolean flag(String key, boolean fallback) {
        return options.flag(key, fallback);
    }

    int number(String key) {
        return Integer.parseInt(options.text(key, "0"));
    }

    boolean escapeSlashes() {
        return options.flag("output_format_json_escape_forward_slashes", true);
    }

    boolean tuplesAsObjects() {
        return options.flag("output_format_json_named_tuples_as_objects", true);
    }

    boolean readTuplesAsObjects() {
        return options.flag("input_format_json_named_tuples_as_objects", true);
    }

    TimeOutput timeOutput() {
        String form = options.text("date_time_output_format", "simple");
        return TimeOutput.valueOf(form.toUpperCase(Locale.ROOT));
    }
}
