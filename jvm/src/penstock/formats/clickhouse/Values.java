package penstock.formats.clickhouse;

import java.util.List;

/**
 * The value for each type of ClickHouse, under the settings of a table.
 *
 * @param settings the table's
 */
record Values(Settings settings) {
    Value of(ColumnType type) {
        if (IntegerValue.has(type.root())) {
            return new IntegerValue(type, settings);
        }
        return switch (type.root()) {
            case "BOOLEAN" -> new BoolValue(type, settings);
            case "FLOAT", "DOUBLE" -> new FloatValue(type, settings);
            case "DECIMAL" -> new DecimalValue(type, settings);
            // Nothing, as in []: there is no value of it but NULL.
            case "VARCHAR", "NULL" -> new TextValue.Text(type, settings);
            case "FIXEDSTRING" -> new TextValue.Fixed(type, settings);
            case "ENUM8", "ENUM16" -> new TextValue.Enumeration(type, settings);
            case "UUID" -> new UuidValue(type, settings);
            case "IPV4", "IPV6" -> new AddressValue(type, settings);
            case "DATE", "DATE32" -> new DateValue(type, settings);
            case "TIMESTAMP_LTZ" -> new DateTimeValue(type, settings);
            case "ARRAY" -> new ArrayValue(type, this);
            case "MAP" -> new MapValue(type, this);
            case "ROW" -> new TupleValue(type, this);
            default -> throw new IllegalArgumentException(
                    "ClickHouse's formats have no value of the type " + type.root());
        };
    }

    Value[] all(List<ColumnType> types) {
        return types.stream().map(this::of).toArray(Value[]::new);
    }
}
