package penstock.formats.clickhouse.protobuf;

import penstock.formats.FieldException;

/** A value that the type on the other side does not have. */
final class ConversionException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    ConversionException(Object value) {
        super("Could not convert value '" + value + "'", null, false, false);
    }

    /** What there is to say of it. */
    FieldException at(String doing, String field) {
        return new FieldException(getMessage() + " while " + doing + " field '" + field + "'");
    }
}
