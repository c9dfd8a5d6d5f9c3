package penstock.formats.cdc;

import java.util.Map;
import org.apache.spark.sql.types.StructType;
import penstock.formats.CodecOptions;
import penstock.formats.TimestampText;

/** Reads messages of Oracle GoldenGate. */
public final class OggJsonDecoder extends BeforeAfterDecoder {
    private static final long serialVersionUID = 1L;

    private static final CdcFormat FORMAT = new CdcFormat("ogg-json", "Ogg",
            RowsField.row("before"), RowsField.row("after"), "op_type",
            Map.of("I", Operation.INSERT, "U", Operation.UPDATE, "D", Operation.DELETE),
            Map.of("table", CdcMetadata.text("table"),
                    "primary-keys", CdcMetadata.plain("primary_keys", CdcMetadata.TEXTS),
                    "ingestion-timestamp", CdcMetadata.utc("current_ts", TimestampText.ISO),
                    "event-timestamp", CdcMetadata.utc("op_ts", TimestampText.SQL)));

    /** A decoder for the columns of a table. */
    public OggJsonDecoder(StructType schema, CodecOptions options) {
        super(schema, options, FORMAT);
    }

    private Object readResolve() {
        return new OggJsonDecoder(schema, options);
    }
}
