package penstock.formats.protobuf;

/** How the values of a field are put on the wire: the names are those of the descriptor. */
public enum Kind {
    BOOL(Wire.VARINT),
    INT32(Wire.VARINT),
    INT64(Wire.VARINT),
    UINT32(Wire.VARINT),
    UINT64(Wire.VARINT),
    SINT32(Wire.VARINT),
    SINT64(Wire.VARINT),
    ENUM(Wire.VARINT),
    FIXED32(Wire.FIXED32),
    SFIXED32(Wire.FIXED32),
    FLOAT(Wire.FIXED32),
    FIXED64(Wire.FIXED64),
    SFIXED64(Wire.FIXED64),
    DOUBLE(Wire.FIXED64),
    STRING(Wire.DELIMITED),
    BYTES(Wire.DELIMITED),
    MESSAGE(Wire.DELIMITED),
    GROUP(Wire.START_GROUP),
    MAP(Wire.DELIMITED);

    private final int wireType;

    Kind(int wireType) {
        this.wireType = wireType;
    }

    int wireType() {
        return wireType;
    }

    /** Whether elements of a repeated field may stand in one run of bytes. */
    boolean packable() {
        return wireType == Wire.VARINT || wireType == Wire.FIXED32 || wireType == Wire.FIXED64;
    }
}
