package penstock.operators.aggregate;

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

    static Numbers of(DataType type) {
        if (type.equals(DataTypes.ByteType)) {
            return BYTE;
        }
        if (type.equals(DataTypes.ShortType)) {
            return SHORT;
        }
        if (type.equals(DataTypes.IntegerType)) {
            return INT;
        }
        if (type.equals(DataTypes.LongType)) {
            return LONG;
        }
        if (type.equals(DataTypes.FloatType)) {
            return FLOAT;
        }
        if (type.equals(DataTypes.DoubleType)) {
            return DOUBLE;
        }
        throw new IllegalArgumentException("not a number: " + type.sql());
    }

    static boolean knows(DataType type) {
        return type.equals(DataTypes.ByteType) || type.equals(DataTypes.ShortType)
                || type.equals(DataTypes.IntegerType) || type.equals(DataTypes.LongType)
                || type.equals(DataTypes.FloatType) || type.equals(DataTypes.DoubleType);
    }

    long whole(InternalRow row) {
        throw new UnsupportedOperationException(name());
    }

    double floating(InternalRow row) {
        return whole(row);
    }
}
