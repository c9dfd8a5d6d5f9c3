package penstock.formats.csv;

import java.math.BigDecimal;
import java.util.Arrays;
import java.util.Base64;
import java.util.Map;
import java.util.StringJoiner;
import java.util.stream.Stream;
import org.apache.spark.sql.catalyst.expressions.SpecializedGetters;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.StringType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.types.TimeType;
import penstock.formats.CodecOptions;
import penstock.formats.DateText;
import penstock.formats.TimeText;
import penstock.formats.TimestampText;

/** The writer for each SQL type, under the options of a table. */
final class CsvWriters {
    private static final Map<DataType, CsvWriter> RAW = Map.of(
            DataTypes.BooleanType, (values, i) -> String.valueOf(values.getBoolean(i)),
            DataTypes.ByteType, (values, i) -> String.valueOf(values.getByte(i)),
            DataTypes.ShortType, (values, i) -> String.valueOf(values.getShort(i)),
            DataTypes.IntegerType, (values, i) -> String.valueOf(values.getInt(i)),
            DataTypes.LongType, (values, i) -> String.valueOf(values.getLong(i)),
            DataTypes.FloatType, (values, i) -> String.valueOf(values.getFloat(i)),
            DataTypes.DoubleType, (values, i) -> String.valueOf(values.getDouble(i)));

    private static final Map<DataType, CsvWriter> TEXTS = Map.of(
            DataTypes.DateType, (values, i) -> DateText.text(values.getInt(i)),
            DataTypes.TimestampNTZType, (values, i) -> TimestampText.SQL.text(values.getLong(i)),
            DataTypes.TimestampType, (values, i) -> TimestampText.SQL_UTC.text(values.getLong(i)),
            DataTypes.BinaryType,
            (values, i) -> Base64.getEncoder().encodeToString(values.getBinary(i)));

    private final CsvSyntax syntax;
    private final boolean scientific;

    CsvWriters(CsvSyntax syntax, CodecOptions options) {
        this.syntax = syntax;
        this.scientific = options.flag("write-bigdecimal-in-scientific-notation");
    }

    /** Whether texts of a type are never quoted: numbers and booleans. */
    static boolean isRaw(DataType type) {
        return RAW.containsKey(type) || type instanceof DecimalType;
    }

    /** What stands for NULL. */
    String nullText() {
        return syntax.nullLiteral() == null ? "" : syntax.nullLiteral();
    }

    /** The writers of the fields of a row. */
    CsvWriter[] writers(StructType type) {
        return Stream.of(type.fields()).map(StructField::dataType).map(this::writer)
                .toArray(CsvWriter[]::new);
    }

    private CsvWriter writer(DataType type) {
        if (RAW.containsKey(type)) {
            return RAW.get(type);
        }
        if (TEXTS.containsKey(type)) {
            return TEXTS.get(type);
        }
        if (type instanceof StringType) {
            return (values, i) -> values.getUTF8String(i).toString();
        }
        if (type instanceof DecimalType decimal) {
            return decimal(decimal);
        }
        if (type instanceof TimeType) {
            return (values, i) -> TimeText.text(values.getLong(i));
        }
        if (type instanceof ArrayType array) {
            CsvWriter element = writer(array.elementType());
            return (values, i) -> array(values.getArray(i), element);
        }
        if (type instanceof StructType row) {
            CsvWriter[] fields = writers(row);
            return (values, i) -> joined(values.getStruct(i, fields.length), fields);
        }
        throw CsvTypes.unsupported(type);
    }

    private CsvWriter decimal(DecimalType type) {
        return (values, i) -> {
            BigDecimal number =
                    values.getDecimal(i, type.precision(), type.scale()).toJavaBigDecimal();
            return scientific ? number.stripTrailingZeros().toString() : number.toPlainString();
        };
    }

    private String array(ArrayData values, CsvWriter element) {
        CsvWriter[] elements = new CsvWriter[values.numElements()];
        Arrays.fill(elements, element);
        return joined(values, elements);
    }

    private String joined(SpecializedGetters values, CsvWriter[] writers) {
        StringJoiner text = new StringJoiner(syntax.arrayDelimiter());
        for (int i = 0; i < writers.length; i++) {
            text.add(values.isNullAt(i) ? nullText() : writers[i].text(values, i));
        }
        return text.toString();
    }
}
