package penstock.formats.cdc;

import com.fasterxml.jackson.core.JsonParser;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import penstock.formats.CodecOptions;
import penstock.formats.FieldException;
import penstock.formats.json.JsonRowReader;

/** Reads messages of Debezium, with the schema of Kafka Connect around them or without. */
public final class DebeziumJsonDecoder extends BeforeAfterDecoder {
    private static final long serialVersionUID = 1L;
    private static final String PAYLOAD = "payload";
    private static final String SCHEMA = "schema";
    private static final String SCHEMA_INCLUDE = "schema-include";
    private static final String SOURCE = "source";

    private static final CdcFormat FORMAT = new CdcFormat("debezium-json", "Debezium",
            RowsField.row("before"), RowsField.row("after"), "op", Operation.DEBEZIUM,
            Map.of(SCHEMA, CdcMetadata.text(SCHEMA),
                    "ingestion-timestamp", CdcMetadata.epoch("ts_ms", 1),
                    "source.timestamp", CdcMetadata.propertyMillis(SOURCE, "ts_ms"),
                    "source.database", CdcMetadata.property(SOURCE, "db"),
                    "source.schema", CdcMetadata.property(SOURCE, "schema"),
                    "source.table", CdcMetadata.property(SOURCE, "table"),
                    "source.properties", CdcMetadata.plain(SOURCE, CdcMetadata.PROPERTIES)));

    private final transient JsonRowReader wrapper;

    /** A decoder for the columns of a table. */
    public DebeziumJsonDecoder(StructType schema, CodecOptions options) {
        super(schema, options, FORMAT);
        this.wrapper = options.flag(SCHEMA_INCLUDE) ? wrapper() : null;
    }

    private Object readResolve() {
        return new DebeziumJsonDecoder(schema, options);
    }

    private JsonRowReader wrapper() {
        StructType fields = new StructType().add(PAYLOAD, columns);
        return hasSlot(SCHEMA)
                ? new JsonRowReader(fields.add(SCHEMA, DataTypes.StringType), readers,
                        List.of(super::message, readers.reader(DataTypes.StringType)))
                : new JsonRowReader(fields, readers, List.of(super::message));
    }

    @Override
    protected String adviceWithoutOperation() {
        return wrapper != null ? "" : ". If the message has a \"payload\", set "
                + format.option(SCHEMA_INCLUDE) + " = 'true'";
    }

    @Override
    protected GenericInternalRow message(JsonParser parser) throws IOException {
        if (wrapper == null) {
            return super.message(parser);
        }
        Object[] parts = wrapper.read(parser).values();
        GenericInternalRow payload = (GenericInternalRow) parts[0];
        if (payload == null) {
            throw new FieldException("The \"payload\" field is null");
        }
        if (parts.length > 1) {
            payload.update(slot(SCHEMA), parts[1]);
        }
        return payload;
    }
}
