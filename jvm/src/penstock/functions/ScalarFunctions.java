package penstock.functions;

import static org.apache.spark.sql.types.DataTypes.BinaryType;
import static org.apache.spark.sql.types.DataTypes.BooleanType;
import static org.apache.spark.sql.types.DataTypes.DateType;
import static org.apache.spark.sql.types.DataTypes.DoubleType;
import static org.apache.spark.sql.types.DataTypes.IntegerType;
import static org.apache.spark.sql.types.DataTypes.LongType;
import static org.apache.spark.sql.types.DataTypes.StringType;
import static org.apache.spark.sql.types.DataTypes.TimestampNTZType;
import static org.apache.spark.sql.types.DataTypes.TimestampType;

import java.io.Serializable;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TimeZone;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.expressions.TryEval;
import org.apache.spark.sql.catalyst.expressions.objects.Invoke;
import org.apache.spark.sql.catalyst.expressions.objects.StaticInvoke;
import org.apache.spark.sql.catalyst.util.DateTimeUtils;
import org.apache.spark.sql.internal.SQLConf;
import org.apache.spark.sql.types.AbstractDataType;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.MapType;
import org.apache.spark.sql.types.ObjectType;
import org.apache.spark.sql.types.StructType;
import penstock.formats.clickhouse.FloatTexts;
import penstock.functions.json.JsonBuilder;
import penstock.functions.json.JsonSearch;
import penstock.functions.json.JsonTexts;
import penstock.functions.time.Epochs;
import penstock.functions.time.LenientTexts;
import penstock.functions.time.PlainTexts;
import penstock.functions.time.StrictTexts;
import scala.Option;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;
import scala.runtime.AbstractFunction1;

/** The scalar functions of this package, by their names in Spark SQL, and their registration. */
public final class ScalarFunctions {
    /** The call of a function, of its arguments. */
    interface Builder {
        Expression build(List<Expression> arguments);
    }

    static final DataType TEXTS = new ArrayType(StringType, true);
    private static final Map<String, Builder> FUNCTIONS = new HashMap<>();

    static {
        json();
        times();
        numbers();
        ClickHouseFunctions.put(FUNCTIONS);
        put("regexp", statics(Regexes.class, "find", BooleanType));
        put("regexp_matches", statics(Regexes.class, "matches", BooleanType));
        put("regexp_count", statics(Regexes.class, "count", IntegerType));
        put("regexp_position", statics(Regexes.class, "position", IntegerType));
        put("regexp_extract", statics(Regexes.class, "extract", StringType));
        put("regexp_extract_all", statics(Regexes.class, "extractAll", TEXTS));
        put("regexp_replace", statics(Regexes.class, "replace", StringType));
        put("replace_first", statics(Regexes.class, "replaceFirst", StringType));
        put("url_part", statics(Texts.class, "urlPart", StringType));
        put("url_parameter", statics(Texts.class, "urlParameter", StringType));
        put("encode", statics(Texts.class, "encode", BinaryType));
        put("decode", statics(Texts.class, "decode", StringType));
        put("is_utf8", statics(Texts.class, "isUtf8", BooleanType));
        put("overlay", statics(Texts.class, "overlay", StringType));
        put("unhex", statics(Texts.class, "unhex", BinaryType));
        put("split", statics(Texts.class, "split", TEXTS));
        put("pad_left", statics(Texts.class, "padLeft", StringType));
        put("pad_right", statics(Texts.class, "padRight", StringType));
        put("from_base64", statics(Texts.class, "fromBase64", StringType));
        put("try", arguments -> new TryEval(arguments.get(0)));
        put("address_number", statics(Texts.class, "addressNumber", LongType));
        put("address_text", statics(Texts.class, "addressText", StringType));
        put("printf", arguments -> call(new Printf(row(arguments, 1)), "format", StringType,
                arguments, true));
        put("random", arguments -> random(arguments, "nextDouble", "seededDouble", DoubleType));
        put("random_integer", arguments -> random(arguments, "nextInt", "seededInt", IntegerType));
        put("multiset", ScalarFunctions::multiset);
    }

    private ScalarFunctions() {}

    private static void json() {
        put("json_value", search("value", StringType));
        put("json_query", search("query", StringType));
        put("json_query_array", search("queryArray", TEXTS));
        put("json_exists", search("exists", BooleanType));
        put("json_length", search("length", IntegerType));
        put("json_type", search("type", StringType));
        put("json_object", builder("object"));
        put("json_array", builder("array"));
        put("json_string", builder("value"));
        put("is_json", statics(JsonTexts.class, "isJson", BooleanType));
        put("json", statics(JsonTexts.class, "normalized", StringType));
        put("json_quote", statics(JsonTexts.class, "quote", StringType));
        put("json_unquote", statics(JsonTexts.class, "unquote", StringType));
    }

    private static void times() {
        put("row_timestamp", arguments -> new StaticInvoke(Clock.class, TimestampType, "now",
                seq(arguments), seq(List.<AbstractDataType>of()), true, false, false,
                Option.empty()));
        put("date_format", statics(StrictTexts.class, "format", StringType));
        put("to_timestamp", statics(StrictTexts.class, "timestamp", TimestampNTZType));
        put("to_instant", statics(StrictTexts.class, "instant", TimestampType));
        put("epoch_instant", statics(Epochs.class, "instant", TimestampType));
        put("to_date", statics(PlainTexts.class, "date", DateType));
        put("pattern_to_date", statics(LenientTexts.class, "date", DateType));
        put("reformat_time", statics(LenientTexts.class, "reformat", StringType));
        put("convert_zone", statics(LenientTexts.class, "convertZone", StringType));
        put("to_unix_time", zoned("unixTime", LongType));
        put("from_unix_time", zoned("fromUnixTime", StringType));
    }

    private static void numbers() {
        put("float_text_narrow", statics(FloatTexts.class, "narrow", StringType));
        put("float_text_wide", statics(FloatTexts.class, "wide", StringType));
        put("lower_bits", statics(Numbers.class, "lowerBits", LongType));
        put("compare", statics(Numbers.class, "compare", IntegerType));
        put("absolute", alike("absolute"));
        put("negative", alike("negative"));
        put("ceil", statics(Numbers.class, "ceil", DoubleType));
        put("floor", statics(Numbers.class, "floor", DoubleType));
        put("exp", statics(Numbers.class, "exp", DoubleType));
        put("log", statics(Numbers.class, "logarithm", DoubleType));
        put("log10", statics(Numbers.class, "logarithm10", DoubleType));
        put("atan2", statics(Numbers.class, "arcTangent", DoubleType));
        put("power", statics(Numbers.class, "power", DoubleType));
    }

    private static void put(String name, Builder builder) {
        FUNCTIONS.put("penstock_" + name, builder);
    }

    /** Registers the functions as temporary functions of a session. */
    public static void register(SparkSession session) {
        FUNCTIONS.forEach((name, builder) -> session.sessionState().functionRegistry()
                .createOrReplaceTempFunction(name, new AbstractFunction1<>() {
                    @Override
                    public Expression apply(Seq<Expression> arguments) {
                        return builder.build(CollectionConverters.asJava(arguments));
                    }
                }, "java_udf"));
    }

    /** A call of a static method, null if an argument is. */
    static Builder statics(Class<?> type, String method, DataType result) {
        return arguments -> new StaticInvoke(type, result, method, seq(arguments),
                seq(List.<AbstractDataType>of()), true, true, true, Option.empty());
    }

    /** A function of a number whose result has the type of the argument. */
    private static Builder alike(String method) {
        return arguments -> statics(Numbers.class, method, arguments.get(0).dataType())
                .build(arguments);
    }

    /** A call of a static method whose last argument is the time zone of the session. */
    private static Builder zoned(String method, DataType result) {
        return arguments -> {
            List<Expression> all = new ArrayList<>(arguments);
            ZoneId zone = DateTimeUtils.getZoneId(SQLConf.get().sessionLocalTimeZone());
            all.add(Literal.create(TimeZone.getTimeZone(zone), new ObjectType(TimeZone.class)));
            return statics(LenientTexts.class, method, result).build(all);
        };
    }

    /** A search whose clauses are its first argument; a null text is the method's own matter. */
    private static Builder search(String method, DataType result) {
        return arguments -> call(new JsonSearch(text(arguments.get(0))), method, result,
                arguments.subList(1, arguments.size()), false);
    }

    /** Arguments: the clauses, a row. */
    private static Builder builder(String method) {
        return arguments -> call(new JsonBuilder(row(arguments, 1), text(arguments.get(0))), method,
                StringType, arguments.subList(1, 2), true);
    }

    private static Expression multiset(List<Expression> arguments) {
        DataType element = ((ArrayType) arguments.get(0).dataType()).elementType();
        DataType result = new MapType(element, IntegerType, false);
        return call(new Multisets(element), "count", result, arguments, true);
    }

    private static Expression random(List<Expression> arguments, String next, String seeded,
            DataType result) {
        Expression seed = arguments.get(0);
        List<Expression> rest = arguments.subList(1, arguments.size());
        if (!(seed instanceof Literal)) {
            return new StaticInvoke(Randoms.class, result, seeded, seq(arguments),
                    seq(List.<AbstractDataType>of()), true, true, true, Option.empty());
        }
        return new Invoke(object(new Randoms((Integer) ((Literal) seed).value())), next, result,
                seq(rest), seq(List.<AbstractDataType>of()), true, true, false);
    }

    static Expression call(Serializable target, String method, DataType result,
            List<Expression> arguments, boolean nullIfNull) {
        return new Invoke(object(target), method, result, seq(arguments),
                seq(List.<AbstractDataType>of()), nullIfNull, true, true);
    }

    private static Literal object(Serializable target) {
        return Literal.create(target, new ObjectType(target.getClass()));
    }

    static StructType row(List<Expression> arguments, int position) {
        return (StructType) arguments.get(position).dataType();
    }

    static String text(Expression argument) {
        if (!(argument instanceof Literal)) {
            throw new IllegalArgumentException("The clauses must be a literal");
        }
        return ((Literal) argument).value().toString();
    }

    private static <T> Seq<T> seq(List<T> items) {
        return CollectionConverters.asScala(new ArrayList<>(items)).toList();
    }
}
