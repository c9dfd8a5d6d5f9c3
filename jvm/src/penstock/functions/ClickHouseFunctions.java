package penstock.functions;

import static org.apache.spark.sql.types.DataTypes.BooleanType;
import static org.apache.spark.sql.types.DataTypes.DoubleType;
import static org.apache.spark.sql.types.DataTypes.IntegerType;
import static org.apache.spark.sql.types.DataTypes.LongType;
import static org.apache.spark.sql.types.DataTypes.StringType;
import static org.apache.spark.sql.types.DataTypes.TimestampType;
import static penstock.functions.ScalarFunctions.TEXTS;
import static penstock.functions.ScalarFunctions.call;
import static penstock.functions.ScalarFunctions.row;
import static penstock.functions.ScalarFunctions.statics;
import static penstock.functions.ScalarFunctions.text;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.StructType;
import penstock.formats.clickhouse.AddressFunctions;
import penstock.formats.clickhouse.JsonFunctions;
import penstock.formats.clickhouse.JsonPaths;
import penstock.formats.clickhouse.PlainJson;
import penstock.formats.clickhouse.TimeTexts;
import penstock.functions.ScalarFunctions.Builder;
import penstock.functions.hash.IntHash;
import penstock.functions.hash.MurmurHash2;
import penstock.functions.hash.PlainHashes;
import penstock.functions.hash.RowHash;
import penstock.functions.time.ScannedTimes;
import penstock.functions.url.Parameters;
import penstock.functions.url.Percent;

/** The scalar functions that only ClickHouse's dialect calls, by their names in Spark SQL. */
final class ClickHouseFunctions {
    private static final Map<String, Builder> FUNCTIONS = new HashMap<>();

    static {
        json();
        put("best_effort", statics(TimeTexts.class, "bestEffort", TimestampType));
        put("parse_time", statics(ScannedTimes.class, "micros", TimestampType));
        put("readable", statics(Readable.class, "text", StringType));
        put("divide", quotient("divide"));
        put("modulo", quotient("modulo"));
        put("whole_quotient", statics(Quotients.class, "whole", LongType));
        put("merge_maps", ClickHouseFunctions::mergedMaps);
        put("hash", arguments -> call(new RowHash(text(arguments.get(0)), text(arguments.get(1))),
                "of", LongType, arguments.subList(2, 3), true));
        put("int_hash_64", statics(IntHash.class, "of64", LongType));
        put("int_hash_32", statics(IntHash.class, "of32", LongType));
        put("kafka_hash", statics(MurmurHash2.class, "kafka", LongType));
        put("gcc_hash", statics(MurmurHash2.class, "gcc", LongType));
        put("java_hash", statics(PlainHashes.class, "java", IntegerType));
        put("address_v6", statics(AddressFunctions.class, "v6", StringType));
        put("address_v6_bytes", statics(AddressFunctions.class, "v6Bytes", StringType));
        put("address_v6_text", statics(AddressFunctions.class, "v6Text", StringType));
        put("address_is_in", statics(AddressFunctions.class, "isIn", BooleanType));
        put("url_decode", statics(Percent.class, "decode", StringType));
        put("url_decode_form", statics(Percent.class, "decodeForm", StringType));
        put("url_encode", statics(Percent.class, "encode", StringType));
        put("url_encode_form", statics(Percent.class, "encodeForm", StringType));
        put("url_parameters", statics(Parameters.class, "all", TEXTS));
        put("url_parameter_names", statics(Parameters.class, "names", TEXTS));
        put("url_hierarchy", statics(Parameters.class, "hierarchy", TEXTS));
        put("url_path_hierarchy", statics(Parameters.class, "pathHierarchy", TEXTS));
    }

    private ClickHouseFunctions() {}

    /** Adds the functions, by their names in Spark SQL. */
    static void put(Map<String, Builder> functions) {
        FUNCTIONS.forEach((name, builder) -> functions.put("penstock_ch_" + name, builder));
    }

    private static void put(String name, Builder builder) {
        FUNCTIONS.put(name, builder);
    }

    private static void json() {
        put("is_json", statics(JsonFunctions.class, "isValid", BooleanType));
        put("json_has", inDocument("has", BooleanType));
        put("json_length", inDocument("length", LongType));
        put("json_type", inDocument("type", StringType));
        put("json_key", inDocument("key", StringType));
        put("json_bool", inDocument("bool", BooleanType));
        put("json_raw", inDocument("raw", StringType));
        put("json_array_raw", inDocument("arrayRaw", TEXTS));
        put("json_keys", inDocument("keys", TEXTS));
        put("json_pairs_raw", inDocument("pairsRaw", JsonFunctions.pairsOf(StringType, false)));
        put("json_number", arguments -> extract(arguments, false, false));
        put("json_extract", arguments -> extract(arguments, true, false));
        put("json_pairs", arguments -> extract(arguments, true, true));
        put("json_path_value", statics(JsonPaths.class, "value", StringType));
        put("json_path_query", statics(JsonPaths.class, "query", StringType));
        put("json_path_exists", statics(JsonPaths.class, "exists", BooleanType));
        put("plain_json_has", statics(PlainJson.class, "has", BooleanType));
        put("plain_json_bool", statics(PlainJson.class, "bool", BooleanType));
        put("plain_json_signed", statics(PlainJson.class, "signed", LongType));
        put("plain_json_unsigned", statics(PlainJson.class, "unsigned", LongType));
        put("plain_json_real", statics(PlainJson.class, "real", DoubleType));
        put("plain_json_string", statics(PlainJson.class, "string", StringType));
        put("plain_json_raw", statics(PlainJson.class, "raw", StringType));
    }

    /** Arguments: a document of ClickHouse's functions, a row of keys and places in it. */
    private static Builder inDocument(String method, DataType result) {
        return arguments -> call(new JsonFunctions(row(arguments, 1), "", false), method, result,
                arguments, true);
    }

    /** Arguments: a document, a row of keys and places, the name of ClickHouse's type. */
    private static Expression extract(List<Expression> arguments, boolean bools, boolean pairs) {
        JsonFunctions made =
                new JsonFunctions(row(arguments, 1), text(arguments.get(2)), bools);
        DataType result = pairs ? JsonFunctions.pairsOf(made.extracted(), true) : made.extracted();
        return call(made, pairs ? "pairsExtracted" : "extract", result, arguments.subList(0, 2),
                true);
    }

    /** Arguments: how, an array of rows. */
    /** Arguments: two decimals, the digits of ClickHouse's type of the result. */
    private static Builder quotient(String method) {
        return arguments -> {
            int scale = Math.max(((DecimalType) arguments.get(0).dataType()).scale(),
                    ((DecimalType) arguments.get(1).dataType()).scale());
            DataType result = new DecimalType(DecimalType.MAX_PRECISION(), scale);
            return statics(Quotients.class, method, result).build(arguments);
        };
    }

    private static Expression mergedMaps(List<Expression> arguments) {
        StructType row = (StructType) ((ArrayType) arguments.get(1).dataType()).elementType();
        return call(new MergedMaps(text(arguments.get(0)), row), "merged", row,
                arguments.subList(1, 2), true);
    }
}
