package penstock.formats;

import static java.util.Map.entry;

import java.util.Locale;
import java.util.Map;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import penstock.formats.avro.AvroDecoder;
import penstock.formats.avro.AvroEncoder;
import penstock.formats.avro.ConfluentDecoder;
import penstock.formats.avro.ConfluentEncoder;
import penstock.formats.avro.DebeziumConfluentDecoder;
import penstock.formats.avro.DebeziumConfluentEncoder;
import penstock.formats.cdc.CanalJsonDecoder;
import penstock.formats.cdc.CdcFrame;
import penstock.formats.cdc.DebeziumJsonDecoder;
import penstock.formats.cdc.MaxwellJsonDecoder;
import penstock.formats.cdc.OggJsonDecoder;
import penstock.formats.clickhouse.JsonAsStringDecoder;
import penstock.formats.clickhouse.JsonCompactDecoder;
import penstock.formats.clickhouse.JsonEachRowDecoder;
import penstock.formats.clickhouse.JsonEachRowEncoder;
import penstock.formats.clickhouse.LinesDecoder;
import penstock.formats.clickhouse.SeparatedEncoder;
import penstock.formats.clickhouse.TskvDecoder;
import penstock.formats.clickhouse.TsvDecoder;
import penstock.formats.csv.CsvDecoder;
import penstock.formats.csv.CsvEncoder;
import penstock.formats.json.JsonDecoder;
import penstock.formats.json.JsonEncoder;
import penstock.formats.print.RowTextEncoder;
import penstock.formats.protobuf.ProtobufDecoder;
import penstock.formats.protobuf.ProtobufEncoder;
import penstock.formats.raw.RawDecoder;
import penstock.formats.raw.RawEncoder;
import scala.Function1;
import scala.collection.immutable.Seq;
import scala.runtime.AbstractFunction1;

/** The SQL functions of this package and their registration in a session. */
public final class Functions {
    private interface DecoderFactory {
        Decoder create(StructType schema, CodecOptions options);
    }

    private interface EncoderFactory {
        Encoder create(StructType schema, CodecOptions options);
    }

    private static final Map<String, DecoderFactory> DECODERS = Map.ofEntries(
            entry("penstock_avro_decode", AvroDecoder::new),
            entry("penstock_avro_confluent_decode", ConfluentDecoder::new),
            entry("penstock_canal_json_decode", CanalJsonDecoder::new),
            entry("penstock_ch_avro_decode", penstock.formats.clickhouse.avro.AvroDecoder::new),
            entry("penstock_ch_avro_confluent_decode",
                    penstock.formats.clickhouse.avro.ConfluentDecoder::new),
            entry("penstock_ch_csv_decode", penstock.formats.clickhouse.CsvDecoder::new),
            entry("penstock_ch_json_as_string_decode", JsonAsStringDecoder::new),
            entry("penstock_ch_json_compact_decode", JsonCompactDecoder::new),
            entry("penstock_ch_json_each_row_decode", JsonEachRowDecoder::new),
            entry("penstock_ch_protobuf_decode",
                    penstock.formats.clickhouse.protobuf.ProtobufDecoder::new),
            entry("penstock_ch_text_decode", LinesDecoder::new),
            entry("penstock_ch_tskv_decode", TskvDecoder::new),
            entry("penstock_ch_tsv_decode", TsvDecoder::new),
            entry("penstock_csv_decode", CsvDecoder::new),
            entry("penstock_debezium_avro_confluent_decode", DebeziumConfluentDecoder::new),
            entry("penstock_debezium_json_decode", DebeziumJsonDecoder::new),
            entry("penstock_json_decode", JsonDecoder::new),
            entry("penstock_maxwell_json_decode", MaxwellJsonDecoder::new),
            entry("penstock_ogg_json_decode", OggJsonDecoder::new),
            entry("penstock_protobuf_decode", ProtobufDecoder::new),
            entry("penstock_raw_decode", RawDecoder::new));

    private static final Map<String, EncoderFactory> ENCODERS = Map.ofEntries(
            entry("penstock_avro_encode", AvroEncoder::new),
            entry("penstock_avro_confluent_encode", ConfluentEncoder::new),
            entry("penstock_canal_json_encode", CdcFrame.CANAL::encoder),
            entry("penstock_ch_avro_encode", penstock.formats.clickhouse.avro.AvroEncoder::new),
            entry("penstock_ch_avro_confluent_encode",
                    penstock.formats.clickhouse.avro.ConfluentEncoder::new),
            entry("penstock_ch_json_each_row_encode", JsonEachRowEncoder::new),
            entry("penstock_ch_protobuf_encode",
                    penstock.formats.clickhouse.protobuf.ProtobufEncoder::new),
            entry("penstock_ch_separated_encode", SeparatedEncoder::new),
            entry("penstock_csv_encode", CsvEncoder::new),
            entry("penstock_debezium_avro_confluent_encode", DebeziumConfluentEncoder::new),
            entry("penstock_debezium_json_encode", CdcFrame.DEBEZIUM::encoder),
            entry("penstock_json_encode", JsonEncoder::new),
            entry("penstock_maxwell_json_encode", CdcFrame.MAXWELL::encoder),
            entry("penstock_ogg_json_encode", CdcFrame.OGG::encoder),
            entry("penstock_print_encode", RowTextEncoder::new),
            entry("penstock_protobuf_encode", ProtobufEncoder::new),
            entry("penstock_raw_encode", RawEncoder::new));

    private static final String BATCHES = "penstock_batches";

    private Functions() {}

    /** Registers the functions as temporary functions of a session. */
    public static void register(SparkSession session) {
        DECODERS.forEach((name, factory) -> register(session, name, decode(name, factory)));
        ENCODERS.keySet().forEach(name -> register(session, name, encode(name)));
        register(session, DecodeError.FUNCTION, decodeError());
        register(session, BATCHES, batches());
    }

    private static void register(SparkSession session, String name,
            Function1<Seq<Expression>, Expression> builder) {
        session.sessionState().functionRegistry()
                .createOrReplaceTempFunction(name, builder, "java_udf");
    }

    private static Function1<Seq<Expression>, Expression> decode(String name, DecoderFactory make) {
        return new AbstractFunction1<>() {
            @Override
            public Expression apply(Seq<Expression> arguments) {
                int given = arguments.size();
                expect(given == 3 || given == 6 || given == 9, name
                        + "(value, schema, options"
                        + "[, topic, partition, offset[, table, handler, skipping]])");
                StructType schema = (StructType) DataType.fromJson(text(name, arguments.apply(1)));
                CodecOptions options = options(name, arguments.apply(2));
                boolean placed = given > 3;
                return new Decode(arguments.apply(0), make.create(schema, options),
                        failures(name, options, arguments),
                        placed ? arguments.apply(3) : Literal.create(null, DataTypes.StringType),
                        placed ? arguments.apply(4) : Literal.create(null, DataTypes.IntegerType),
                        placed ? arguments.apply(5) : Literal.create(null, DataTypes.LongType));
            }
        };
    }

    private static Function1<Seq<Expression>, Expression> decodeError() {
        return new AbstractFunction1<>() {
            @Override
            public Expression apply(Seq<Expression> arguments) {
                String name = DecodeError.FUNCTION;
                expect(arguments.size() == 4, name + "(function, value, schema, options)");
                StructType schema = (StructType) DataType.fromJson(text(name, arguments.apply(2)));
                DecoderFactory make = DECODERS.get(text(name, arguments.apply(0)));
                return new DecodeError(arguments.apply(1),
                        make.create(schema, options(name, arguments.apply(3))));
            }
        };
    }

    /** A format that ignores what it cannot read comes before the table's handler. */
    private static Failures failures(
            String name, CodecOptions options, Seq<Expression> arguments) {
        boolean handled = arguments.size() > 6;
        String table = handled ? text(name, arguments.apply(6)) : "";
        String handler = handled ? text(name, arguments.apply(7)) : "fail";
        String asked = options.flag("ignore-parse-errors") ? "skip" : handler;
        return new Failures(table, Failures.Handling.valueOf(asked.toUpperCase(Locale.ROOT)),
                handled ? text(name, arguments.apply(8)) : "");
    }

    private static Function1<Seq<Expression>, Expression> encode(String name) {
        return new AbstractFunction1<>() {
            @Override
            public Expression apply(Seq<Expression> arguments) {
                expect(arguments.size() == 2, name + "(row, options)");
                CodecOptions options = options(name, arguments.apply(1));
                return new Encode(arguments.apply(0), new Encoding(name, options));
            }
        };
    }

    private static Function1<Seq<Expression>, Expression> batches() {
        return new AbstractFunction1<>() {
            @Override
            public Expression apply(Seq<Expression> arguments) {
                expect(arguments.size() == 2, BATCHES + "(row, size)");
                return new Batches(arguments.apply(0),
                        Integer.parseInt(text(BATCHES, arguments.apply(1))));
            }
        };
    }

    static Encoder encoder(String name, StructType schema, CodecOptions options) {
        return ENCODERS.get(name).create(schema, options);
    }

    private static CodecOptions options(String name, Expression argument) {
        return CodecOptions.parse(text(name, argument));
    }

    private static String text(String name, Expression argument) {
        expect(argument instanceof Literal && ((Literal) argument).value() != null,
                name + ": all arguments but values must be literals");
        return ((Literal) argument).value().toString();
    }

    private static void expect(boolean condition, String message) {
        if (!condition) {
            throw new IllegalArgumentException(message);
        }
    }
}
