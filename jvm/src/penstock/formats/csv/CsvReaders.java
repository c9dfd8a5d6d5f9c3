package penstock.formats.csv;

import com.fasterxml.jackson.core.Base64Variants;
import java.time.DateTimeException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.util.GenericArrayData;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.StringType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.types.TimeType;
import org.apache.spark.unsafe.types.UTF8String;
import penstock.formats.CodecOptions;
import penstock.formats.DateText;
import penstock.formats.Decimals;
import penstock.formats.FieldException;
import penstock.formats.TimeText;
import penstock.formats.TimestampText;

/** The reader for each SQL type, under the options of a table. */
final class CsvReaders {
    private static final String DIGITS = "digits";
    private static final Map<DataType, CsvReader> SCALARS = Map.ofEntries(
            Map.entry(DataTypes.BooleanType, text -> Boolean.parseBoolean(text.trim())),
            Map.entry(DataTypes.ByteType, text -> Byte.parseByte(text.trim())),
            Map.entry(DataTypes.ShortType, text -> Short.parseShort(text.trim())),
            Map.entry(DataTypes.IntegerType, text -> Integer.parseInt(text.trim())),
            Map.entry(DataTypes.LongType, text -> Long.parseLong(text.trim())),
            Map.entry(DataTypes.FloatType, text -> Float.parseFloat(text.trim())),
            Map.entry(DataTypes.DoubleType, text -> Double.parseDouble(text.trim())),
            Map.entry(DataTypes.DateType, DateText::lenientDays),
            Map.entry(DataTypes.TimestampNTZType, timestamp(TimestampText.SQL)),
            Map.entry(DataTypes.TimestampType, timestamp(TimestampText.SQL_UTC)),
            Map.entry(DataTypes.BinaryType,
                    text -> Base64Variants.MIME_NO_LINEFEEDS.decode(text.trim())));

    private final CsvSyntax syntax;
    private final boolean ignoreParseErrors;
    private final boolean trimSpaces;
    private final boolean emptyStringAsNull;

    CsvReaders(CsvSyntax syntax, CodecOptions options) {
        this.syntax = syntax;
        this.ignoreParseErrors = options.flag("ignore-parse-errors");
        this.trimSpaces = options.flag("trim-spaces");
        this.emptyStringAsNull = options.flag("empty-string-as-null");
    }

    /** The readers of the fields of a row. */
    CsvReader[] readers(StructType type) {
        return Stream.of(type.fields()).map(field -> reader(field.dataType(), digits(field)))
                .toArray(CsvReader[]::new);
    }

    /** How many digits of a second the table declares for a TIME, or an array of it. */
    private static int digits(StructField field) {
        return field.metadata().contains(DIGITS) ? (int) field.metadata().getLong(DIGITS) : 3;
    }

    private CsvReader reader(DataType type, int digits) {
        if (type instanceof ArrayType array) {
            return lenient(array(reader(array.elementType(), digits)));
        }
        if (type instanceof StructType row) {
            return lenient(row(readers(row)));
        }
        CsvReader scalar = lenient(type instanceof TimeType
                ? text -> TimeText.lenientNanos(text, digits) : scalar(type));
        return text -> isNull(text) ? null : scalar.read(text);
    }

    private static CsvReader scalar(DataType type) {
        if (SCALARS.containsKey(type)) {
            return SCALARS.get(type);
        }
        if (type instanceof StringType) {
            return UTF8String::fromString;
        }
        if (type instanceof DecimalType decimal) {
            return text -> Decimals.fit(Decimals.parse(text), decimal);
        }
        throw CsvTypes.unsupported(type);
    }

    private static CsvReader timestamp(TimestampText form) {
        return text -> {
            char[] chars = text.trim().toCharArray();
            return form.micros(chars, 0, chars.length);
        };
    }

    private boolean isNull(String text) {
        return text.equals(syntax.nullLiteral()) || emptyStringAsNull && text.isEmpty();
    }

    /** A reader that gives null for a text that does not fit, if the table asks for that. */
    private CsvReader lenient(CsvReader reader) {
        return text -> {
            try {
                return reader.read(text);
            } catch (IllegalArgumentException | DateTimeException | FieldException e) {
                if (ignoreParseErrors) {
                    return null;
                }
                throw FieldException.of(e);
            }
        };
    }

    private CsvReader array(CsvReader element) {
        return text -> new GenericArrayData(
                elements(text).stream().map(element::read).toArray());
    }

    /** Nested rows: no element at all is a null row, elements past the last field are ignored. */
    private CsvReader row(CsvReader[] fields) {
        return text -> {
            List<String> elements = elements(text);
            if (elements.isEmpty()) {
                return null;
            }
            if (elements.size() < fields.length && !ignoreParseErrors) {
                throw CsvDecoder.lengthMismatch(fields.length, elements.size());
            }
            Object[] values = new Object[fields.length];
            for (int i = 0; i < Math.min(fields.length, elements.size()); i++) {
                values[i] = fields[i].read(elements.get(i));
            }
            return new GenericInternalRow(values);
        };
    }

    private List<String> elements(String text) {
        List<String> elements = new ArrayList<>();
        int from = 0;
        int end = text.indexOf(syntax.arrayDelimiter());
        if (end < 0 && text.trim().isEmpty()) {
            return elements;
        }
        for (; end >= 0; end = text.indexOf(syntax.arrayDelimiter(), from)) {
            elements.add(element(text.substring(from, end)));
            from = end + syntax.arrayDelimiter().length();
        }
        elements.add(element(text.substring(from)));
        return elements;
    }

    private String element(String text) {
        return trimSpaces ? text.trim() : text;
    }
}
