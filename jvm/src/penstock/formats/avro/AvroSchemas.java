package penstock.formats.avro;

import org.apache.avro.Schema;
import penstock.formats.CodecOptions;

/** What readers and writers ask of schemas. */
final class AvroSchemas {
    private AvroSchemas() {}

    /** The schema that a format's options hold. */
    static Schema of(CodecOptions options) {
        return new Schema.Parser().parse(options.text("schema", null));
    }

    /**
     * The branch of a union that is not null.
     *
     * @throws IllegalArgumentException if it has more than one, or none
     */
    static Schema branch(Schema union) {
        Schema found = null;
        for (Schema branch : union.getTypes()) {
            if (branch.getType() != Schema.Type.NULL) {
                if (found != null) {
                    throw notNullable(union);
                }
                found = branch;
            }
        }
        if (found == null) {
            throw notNullable(union);
        }
        return found;
    }

    private static IllegalArgumentException notNullable(Schema union) {
        return new IllegalArgumentException("The Avro schema is not a nullable type: " + union);
    }
}
