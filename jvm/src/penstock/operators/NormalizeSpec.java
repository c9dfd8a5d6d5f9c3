package penstock.operators;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/**
 * Which column of the input is what for {@link Normalize}.
 *
 * @param input the columns that come in
 * @param keys names of the columns of the primary key
 * @param sequence names of the columns that order the rows of one key in a batch; not passed on
 * @param kind name of the TINYINT column of the row kind
 * @param ttlMillis for how long an untouched row is kept, 0 for ever
 * @param updateBefore whether the consumer needs the old row of an update
 */
public record NormalizeSpec(StructType input, List<String> keys, List<String> sequence, String kind,
        long ttlMillis, boolean updateBefore) implements Serializable {
    /** Takes copies of the lists: what Python hands over cannot travel to the executors. */
    public NormalizeSpec {
        keys = new ArrayList<>(keys);
        sequence = new ArrayList<>(sequence);
    }

    /** The type of the key. */
    StructType keyType() {
        return select(keys);
    }

    /** The columns that go out: those that come in without the sequence. */
    StructType output() {
        List<String> names = new ArrayList<>(List.of(input.fieldNames()));
        names.removeAll(sequence);
        return select(names);
    }

    /** What is kept of a row: what its key does not say; something, so that it is there at all. */
    StructType state() {
        List<String> names = new ArrayList<>(List.of(output().fieldNames()));
        names.remove(kind);
        names.removeAll(keys);
        return select(names.isEmpty() ? keys : names);
    }

    private StructType select(List<String> names) {
        List<StructField> fields = new ArrayList<>();
        for (String name : names) {
            fields.add(input.fields()[input.fieldIndex(name)]);
        }
        return new StructType(fields.toArray(StructField[]::new));
    }
}
