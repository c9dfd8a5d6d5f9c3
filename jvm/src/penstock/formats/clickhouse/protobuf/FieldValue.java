package penstock.formats.clickhouse.protobuf;

import org.apache.spark.sql.catalyst.expressions.SpecializedGetters;
import penstock.formats.protobuf.MessageSpec;

/** A field of a message and a column: a value of one as a value of the other. */
interface FieldValue {
    /** The column's value of a field's that is there. */
    Object read(Object found);

    /** The field's value of a column's that is not NULL. */
    Object write(SpecializedGetters values, int position);

    /** The same, with errors that name the field. */
    static FieldValue named(MessageSpec.Field field, FieldValue value) {
        return new FieldValue() {
            @Override
            public Object read(Object found) {
                try {
                    return value.read(found);
                } catch (ConversionException e) {
                    throw e.at("reading", field.name());
                }
            }

            @Override
            public Object write(SpecializedGetters values, int position) {
                try {
                    return value.write(values, position);
                } catch (ConversionException e) {
                    throw e.at("writing", field.name());
                }
            }
        };
    }
}
