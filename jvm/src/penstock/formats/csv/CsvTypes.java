package penstock.formats.csv;

import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.MapType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/** Which types a CSV field can have: simple ones, and arrays and rows of simple ones. */
final class CsvTypes {
    private CsvTypes() {}

    static void expectSupported(StructType schema) {
        for (StructField field : schema.fields()) {
            if (field.dataType() instanceof ArrayType array) {
                expectSimple(field.name(), array.elementType());
            } else if (field.dataType() instanceof StructType row) {
                for (StructField nested : row.fields()) {
                    expectSimple(field.name(), nested.dataType());
                }
            }
        }
    }

    private static void expectSimple(String field, DataType type) {
        if (type instanceof ArrayType || type instanceof MapType || type instanceof StructType) {
            throw new IllegalArgumentException("Only simple types are supported in the second level"
                    + " nesting of fields '" + field + "' but was: " + type.sql());
        }
    }

    static IllegalArgumentException unsupported(DataType type) {
        return new IllegalArgumentException("CSV format doesn't support the type " + type.sql());
    }
}
