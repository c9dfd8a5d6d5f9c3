package penstock.formats.clickhouse.protobuf;

import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import penstock.formats.protobuf.MessageSpec;

/** The type that the fields of a message have by themselves, whatever the columns are. */
final class WireTypes {
    private WireTypes() {}

    static StructType of(MessageSpec message) {
        StructType type = new StructType();
        for (MessageSpec.Field field : message.fields()) {
            type = type.add(field.name(), of(field));
        }
        return type;
    }

    static DataType of(MessageSpec.Field field) {
        return field.repeated() ? new ArrayType(ofElement(field), true) : ofElement(field);
    }

    static DataType ofElement(MessageSpec.Field field) {
        return switch (field.kind()) {
            case BOOL -> DataTypes.BooleanType;
            case INT32, UINT32, SINT32, FIXED32, SFIXED32, ENUM -> DataTypes.IntegerType;
            case INT64, UINT64, SINT64, FIXED64, SFIXED64 -> DataTypes.LongType;
            case FLOAT -> DataTypes.FloatType;
            case DOUBLE -> DataTypes.DoubleType;
            case STRING -> DataTypes.StringType;
            case BYTES -> DataTypes.BinaryType;
            case MESSAGE, GROUP -> of(field.message());
            case MAP -> DataTypes.createMapType(
                    of(field.message().fields().get(0)), of(field.message().fields().get(1)));
        };
    }
}
