package penstock.formats.clickhouse;

import java.util.Arrays;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.unsafe.types.UTF8String;
import penstock.formats.CodecOptions;
import penstock.formats.Utf8Buffer;

/** Writes rows whose fields stand one after another, with something between and around them. */
public final class SeparatedEncoder extends MessageEncoder {
    private static final long serialVersionUID = 1L;

    private final transient Form form;
    // What stands before each field.
    private final transient String[] prefixes;

    /** An encoder for rows of a type, in the form that the options name. */
    public SeparatedEncoder(StructType schema, CodecOptions options) {
        super(schema, options);
        String name = options.text("form", "");
        this.form = Form.of(settings, name);
        this.prefixes = "tskv".equals(name) ? named(columns.names) : null;
    }

    private static String[] named(String[] names) {
        return Arrays.stream(names).map(SeparatedEncoder::named).toArray(String[]::new);
    }

    private static String named(String name) {
        Utf8Buffer out = Utf8Buffer.start();
        out.add(UTF8String.fromString(name));
        Backslashes.escape(out, 0);
        return UTF8String.fromBytes(out.finish()).toString().replace("=", "\\=") + "=";
    }

    private Object readResolve() {
        return new SeparatedEncoder(schema, options);
    }

    /**
     * What stands around the fields.
     *
     * @param layout how a field is written
     * @param begin what stands before the first
     * @param separator what stands between two
     * @param end what stands behind the last
     */
    private record Form(Layout layout, String begin, String separator, String end) {
        static Form of(Settings settings, String name) {
            return switch (name) {
                case "csv" -> new Form(new CsvLayout(settings), "",
                        String.valueOf(settings.delimiter()), lineEnd(settings, "csv"));
                case "tsv", "tskv" -> new Form(
                        new EscapedLayout(settings), "", "\t", lineEnd(settings, "tsv"));
                case "compact" -> new Form(new JsonLayout(settings), "[", ", ", "]\n");
                case "lines" -> new Form(WholeLayout.INSTANCE, "", "\t", "\n");
                case "blob" -> new Form(WholeLayout.INSTANCE, "", "", "");
                default -> throw new IllegalArgumentException("There is no form '" + name + "'");
            };
        }

        private static String lineEnd(Settings settings, String name) {
            return settings.flag("output_format_" + name + "_crlf_end_of_line", false)
                    ? "\r\n" : "\n";
        }
    }

    @Override
    void begin(Utf8Buffer out) {
        if (!settings.names()) {
            return;
        }
        for (int i = 0; i < columns.size(); i++) {
            out.add(i > 0 ? form.separator : "");
            form.layout.write(UTF8String.fromString(columns.names[i]), out);
        }
        out.add(form.end);
    }

    @Override
    void row(InternalRow row, Utf8Buffer out) {
        out.add(form.begin);
        for (int i = 0; i < columns.size(); i++) {
            out.add(i > 0 ? form.separator : "");
            out.add(prefixes == null ? "" : prefixes[i]);
            columns.values[i].write(row, i, form.layout, out);
        }
        out.add(form.end);
    }
}
