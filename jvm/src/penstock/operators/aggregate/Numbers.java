package penstock.operators.aggregate;

import java.util.Map;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;

/** The first argument as a number, whatever its type. */
enum Numbers {
    BYTE {
        @Override
        long whole(InternalRow row) {
            return row.getByte(0);
        }
    },
    SHORT {
        @Override
        long whole(InternalRow row) {
            return row.getShort(0);
        }
    },
    INT {
        @Override
        long whole(InternalRow row) {
            return row.getInt(0);
        }
    },
    LONG {
        @Override
        long whole(InternalRow row) {
            return row.getLong(0);
        }
    },
    FLOAT {
        @Override
        double floating(InternalRow row) {
            return row.getFloat(0);
        }
    },
    DOUBLE {
        @Override
        double floating(InternalRow row) {
            return row.getDouble(0);
        }
    };

    private static final Map<DataType, Numbers> BY_TYPE = Map.of(
            DataTypes.ByteType, BYTE, DataTypes.ShortType, SHORT, DataTypes.IntegerType, INT,
            DataTypes.LongType, LONG, DataTypes.FloatType, FLOAT, DataTypes.DoubleType, DOUBLE);

    /** How numbers of a type are read; it must be one of those that are known. */
    static Numbers of(DataType type) {
        return BY_TYPE.get(type);
    }

    static boolean knows(DataType type) {
        return BY_TYPE.containsKey(type);
    }

    long whole(InternalRow row) {
        throw new UnsupportedOperationException(name());
    }

    double floating(InternalRow row) {
        return whole(row);
    }
}
