package penstock.formats.cdc;

import java.util.function.UnaryOperator;
import org.apache.spark.sql.catalyst.util.MapData;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.unsafe.types.UTF8String;
import penstock.formats.TimestampText;

/**
 * Something that a message tells beside its rows.
 *
 * @param field of the message
 * @param type as which the field is read
 * @param convert makes a value of that type the metadata's; neither is null before it
 */
record CdcMetadata(String field, DataType type, UnaryOperator<Object> convert) {
    static final DataType TEXTS = DataTypes.createArrayType(DataTypes.StringType);
    static final DataType PROPERTIES =
            DataTypes.createMapType(DataTypes.StringType, DataTypes.StringType);

    private static final long MICROS_PER_MILLI = 1000;

    /** A field as it is. */
    static CdcMetadata plain(String field, DataType type) {
        return new CdcMetadata(field, type, value -> value);
    }

    /** A text. */
    static CdcMetadata text(String field) {
        return plain(field, DataTypes.StringType);
    }

    /** An instant, as a number of units of so many milliseconds. */
    static CdcMetadata epoch(String field, long millis) {
        return new CdcMetadata(field, DataTypes.LongType,
                value -> Math.multiplyExact((Long) value, millis * MICROS_PER_MILLI));
    }

    /** An instant, as the text of a local time in UTC. */
    static CdcMetadata utc(String field, TimestampText form) {
        return new CdcMetadata(field, DataTypes.StringType, value -> {
            char[] text = value.toString().toCharArray();
            return form.micros(text, 0, text.length);
        });
    }

    /** A text inside of a field that is an object. */
    static CdcMetadata property(String field, String name) {
        UTF8String key = UTF8String.fromString(name);
        return new CdcMetadata(field, PROPERTIES, value -> lookUp((MapData) value, key));
    }

    /** An instant inside of a field that is an object, as a number of milliseconds. */
    static CdcMetadata propertyMillis(String field, String name) {
        UnaryOperator<Object> property = property(field, name).convert;
        return new CdcMetadata(field, PROPERTIES, value -> {
            Object millis = property.apply(value);
            return millis == null ? null
                    : Math.multiplyExact(Long.parseLong(millis.toString()), MICROS_PER_MILLI);
        });
    }

    private static Object lookUp(MapData map, UTF8String key) {
        for (int i = 0; i < map.numElements(); i++) {
            if (map.keyArray().getUTF8String(i).equals(key)) {
                return map.valueArray().isNullAt(i) ? null : map.valueArray().getUTF8String(i);
            }
        }
        return null;
    }
}
