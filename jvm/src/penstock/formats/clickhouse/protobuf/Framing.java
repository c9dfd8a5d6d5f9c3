package penstock.formats.clickhouse.protobuf;

import java.util.Locale;
import java.util.function.Consumer;
import penstock.formats.CodecOptions;
import penstock.formats.FieldException;
import penstock.formats.Utf8Buffer;
import penstock.formats.protobuf.Wire;
import penstock.formats.protobuf.WireInput;

/** How the messages of rows stand in a message of Kafka. */
enum Framing {
    /** One after another, each behind its length. */
    DELIMITED {
        @Override
        void read(WireInput in, Consumer<WireInput> row) {
            while (!in.atEnd()) {
                readDelimited(in, row);
            }
        }

        @Override
        int beginRow(Utf8Buffer out) {
            return Wire.begin(out);
        }

        @Override
        void endRow(int start, Utf8Buffer out) {
            Wire.end(start, out);
        }
    },
    /** A single one, and nothing else. */
    SINGLE {
        @Override
        void read(WireInput in, Consumer<WireInput> row) {
            row.accept(in);
        }
    },
    /** As the fields of an envelope, which stands behind its length. */
    LIST {
        @Override
        void read(WireInput in, Consumer<WireInput> row) {
            int outer = in.enter();
            while (!in.atEnd()) {
                // ClickHouse does not look at the number of the field.
                if ((in.tag() & 7) != Wire.DELIMITED) {
                    throw new FieldException("Protobuf messages are corrupted or don't match the"
                            + " provided schema");
                }
                readDelimited(in, row);
            }
            in.leave(outer);
        }

        @Override
        int beginRow(Utf8Buffer out) {
            Wire.varint(ROW, out);
            return Wire.begin(out);
        }

        @Override
        void endRow(int start, Utf8Buffer out) {
            Wire.end(start, out);
        }
    };

    private static final int ROW = Wire.tag(1, Wire.DELIMITED);

    static Framing of(CodecOptions options) {
        return valueOf(options.text("framing", "delimited").toUpperCase(Locale.ROOT));
    }

    private static void readDelimited(WireInput in, Consumer<WireInput> row) {
        int outer = in.enter();
        row.accept(in);
        in.leave(outer);
    }

    /** Gives each row's message, which ends where the input then does. */
    abstract void read(WireInput in, Consumer<WireInput> row);

    /** Writes what stands before a row's message; {@link #endRow} takes what it gives. */
    int beginRow(Utf8Buffer out) {
        return 0;
    }

    /** Completes what stands before a row's message. */
    void endRow(int start, Utf8Buffer out) {}
}
