package penstock.formats.avro;

import org.apache.avro.Schema;

/** Schemas out of texts. */
final class AvroSchemas {
    private AvroSchemas() {}

    /** The schema of a record; one that may be null is one all the same. */
    static Schema parse(String text) {
        Schema schema = new Schema.Parser().parse(text);
        return schema.isUnion() ? branch(schema) : schema;
    }

    /**
     * The branch of a union that is not null.
     *
     * @throws IllegalArgumentException if it has more than one
     */
    static Schema branch(Schema union) {
        Schema found = null;
        for (Schema branch : union.getTypes()) {
            if (branch.getType() != Schema.Type.NULL) {
                if (found != null) {
                    throw new IllegalArgumentException(
                            "The Avro schema is not a nullable type: " + union);
                }
                found = branch;
            }
        }
        return found;
    }
}
