package penstock.kafka.source;

import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.codegen.UnsafeArrayWriter;
import org.apache.spark.sql.catalyst.expressions.codegen.UnsafeRowWriter;
import org.apache.spark.sql.kafka010.KafkaRecordToRowConverter;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.unsafe.types.UTF8String;
import penstock.formats.BadMessageException;

/** Messages as rows with the columns of Spark's source, and the leader's epoch if it is wanted. */
final class RecordRows {
    private static final int HEADERS = 7;
    private static final int BYTES_PER_ROW = 256;
    private static final int BYTES_PER_ELEMENT = 8;
    private static final long MICROS_PER_MILLI = 1000L;

    private final ReadOptions options;
    private final UnsafeRowWriter row;
    private final UnsafeArrayWriter headers;
    private final UnsafeRowWriter header;
    private UTF8String topic;

    RecordRows(ReadOptions options) {
        this.options = options;
        row = new UnsafeRowWriter(schema(options).size(), BYTES_PER_ROW);
        headers = new UnsafeArrayWriter(row, BYTES_PER_ELEMENT);
        header = new UnsafeRowWriter(headers, 2);
    }

    static StructType schema(ReadOptions options) {
        StructType columns = KafkaRecordToRowConverter.kafkaSchema(options.headers());
        return options.leaderEpoch() ? columns.add("leaderEpoch", DataTypes.IntegerType) : columns;
    }

    /** The partition that the messages come from, until another is given. */
    void from(TopicPartition place) {
        topic = UTF8String.fromString(place.topic());
    }

    /** One and the same row object, filled anew. */
    InternalRow of(ConsumerRecord<byte[], byte[]> record) {
        row.reset();
        row.zeroOutNullBytes();
        write(row, 0, record.key());
        write(row, 1, record.value());
        row.write(2, topic);
        row.write(3, record.partition());
        row.write(4, record.offset());
        row.write(5, micros(record));
        row.write(6, record.timestampType().id);
        if (options.headers()) {
            writeHeaders(record);
        }
        if (options.leaderEpoch()) {
            writeEpoch(record);
        }
        return row.getRow();
    }

    private static void write(UnsafeRowWriter row, int column, byte[] bytes) {
        if (bytes == null) {
            row.setNullAt(column);
        } else {
            row.write(column, bytes);
        }
    }

    private static long micros(ConsumerRecord<byte[], byte[]> record) {
        try {
            return Math.multiplyExact(record.timestamp(), MICROS_PER_MILLI);
        } catch (ArithmeticException error) {
            String reason = "its timestamp " + record.timestamp() + " lies outside of all time";
            throw BadMessageException.of("", reason, record.value())
                    .at(record.topic(), record.partition(), record.offset());
        }
    }

    private void writeHeaders(ConsumerRecord<byte[], byte[]> record) {
        Header[] found = record.headers().toArray();
        if (found.length == 0) {
            row.setNullAt(HEADERS);
            return;
        }
        int begin = row.cursor();
        headers.initialize(found.length);
        for (int i = 0; i < found.length; i++) {
            int before = headers.cursor();
            header.resetRowWriter();
            header.write(0, UTF8String.fromString(found[i].key()));
            write(header, 1, found[i].value());
            headers.setOffsetAndSizeFromPreviousCursor(i, before);
        }
        row.setOffsetAndSizeFromPreviousCursor(HEADERS, begin);
    }

    private void writeEpoch(ConsumerRecord<byte[], byte[]> record) {
        int column = options.headers() ? HEADERS + 1 : HEADERS;
        record.leaderEpoch().ifPresentOrElse(
                epoch -> row.write(column, (int) epoch), () -> row.setNullAt(column));
    }
}
