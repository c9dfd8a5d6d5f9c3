package penstock.formats.cdc;

import org.apache.spark.sql.types.StructType;
import penstock.formats.CodecOptions;
import penstock.formats.Encoder;

/** What a format writes around a row. A row is only ever inserted or deleted. */
public enum CdcFrame {
    /** Debezium's. */
    DEBEZIUM("{'before':null,'after':%s,'op':'c'}", "{'before':%s,'after':null,'op':'d'}"),
    /** Canal's: an array of one row. */
    CANAL("{'data':[%s],'type':'INSERT'}", "{'data':[%s],'type':'DELETE'}"),
    /** Maxwell's. */
    MAXWELL("{'data':%s,'type':'insert'}", "{'data':%s,'type':'delete'}"),
    /** Oracle GoldenGate's. */
    OGG("{'before':null,'after':%s,'op_type':'I'}", "{'before':%s,'after':null,'op_type':'D'}");

    private final String insert;
    private final String delete;

    CdcFrame(String insert, String delete) {
        this.insert = insert.replace('\'', '"');
        this.delete = delete.replace('\'', '"');
    }

    /** An encoder for rows of a type, whose last field is the kind of the row. */
    public Encoder encoder(StructType schema, CodecOptions options) {
        return new CdcEncoder(schema, options, this);
    }

    /** The text before and the text after a row that is inserted, or deleted. */
    String[] around(boolean inserted, boolean ignoreNullFields) {
        String frame = inserted ? insert : delete;
        if (ignoreNullFields) {
            frame = frame.replace("\"before\":null,", "").replace("\"after\":null,", "");
        }
        return frame.split("%s");
    }
}
