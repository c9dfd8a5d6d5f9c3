package penstock.kafka.sink;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.types.StructType;
import penstock.kafka.SourcePartition;

/** Spark's rows → records of the producer; made anew for each task. */
final class Records {
    private static final int MICROS_PER_MILLI = 1000;
    private static final int HEADER_FIELDS = 2;

    private final SinkSpec spec;
    private final int task;
    private final SourcePartition source = SourcePartition.ofTask();
    private final int key;
    private final int value;
    private final int headers;
    private final int timestamp;
    private final int partition;
    private final Topics topics;
    private final Producer<byte[], byte[]> producer;
    private final Map<String, Integer> partitions = new HashMap<>();

    Records(SinkSpec spec, StructType schema, int task, Producer<byte[], byte[]> producer) {
        this.spec = spec;
        this.task = task;
        this.producer = producer;
        this.key = ordinal(schema, "key");
        this.value = ordinal(schema, "value");
        this.headers = ordinal(schema, "headers");
        this.timestamp = ordinal(schema, "timestamp");
        this.partition = ordinal(schema, "partition");
        this.topics = new Topics(spec, ordinal(schema, "topic"));
    }

    ProducerRecord<byte[], byte[]> of(InternalRow row) {
        String topic = topics.of(row);
        return new ProducerRecord<>(topic, partition(topic, row), timestamp(row),
                bytes(row, key), bytes(row, value), headers(row));
    }

    /** The bytes of key and value. */
    static int size(ProducerRecord<byte[], byte[]> record) {
        int size = record.key() == null ? 0 : record.key().length;
        return record.value() == null ? size : size + record.value().length;
    }

    private Integer partition(String topic, InternalRow row) {
        if (spec.fixed()) {
            return source.orElse(task) % partitions.computeIfAbsent(topic, this::count);
        }
        if (partition < 0 || row.isNullAt(partition)) {
            return null;
        }
        int chosen = row.getInt(partition);
        int count = partitions.computeIfAbsent(topic, this::count);
        if (chosen < 0 || chosen >= count) {
            throw SinkException.row(spec.table(), "the partitioner chose partition " + chosen
                    + " of topic '" + topic + "', which has " + count);
        }
        return chosen;
    }

    private int count(String topic) {
        return producer.partitionsFor(topic).size();
    }

    private Long timestamp(InternalRow row) {
        if (timestamp < 0 || row.isNullAt(timestamp)) {
            return null;
        }
        long millis = Math.floorDiv(row.getLong(timestamp), MICROS_PER_MILLI);
        if (millis < 0) {
            throw SinkException.row(spec.table(),
                    "its timestamp lies before 1970-01-01, which Kafka does not take");
        }
        return millis;
    }

    private List<Header> headers(InternalRow row) {
        if (headers < 0 || row.isNullAt(headers)) {
            return null;
        }
        ArrayData entries = row.getArray(headers);
        List<Header> found = new ArrayList<>(entries.numElements());
        for (int i = 0; i < entries.numElements(); i++) {
            InternalRow entry = entries.isNullAt(i) ? null : entries.getStruct(i, HEADER_FIELDS);
            if (entry != null && !entry.isNullAt(0)) {
                found.add(new RecordHeader(entry.getUTF8String(0).toString(), bytes(entry, 1)));
            }
        }
        return found;
    }

    private static byte[] bytes(InternalRow row, int ordinal) {
        return ordinal < 0 || row.isNullAt(ordinal) ? null : row.getBinary(ordinal);
    }

    private static int ordinal(StructType schema, String name) {
        scala.Option<Object> found = schema.getFieldIndex(name);
        return found.isEmpty() ? -1 : (Integer) found.get();
    }
}
