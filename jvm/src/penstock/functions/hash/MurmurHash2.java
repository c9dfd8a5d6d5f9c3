package penstock.functions.hash;

import static penstock.functions.hash.LittleEndian.intAt;
import static penstock.functions.hash.LittleEndian.longAt;
import static penstock.functions.hash.LittleEndian.tail;

import org.apache.spark.unsafe.types.UTF8String;

/** MurmurHash 2, with 32 and 64 bits, and the hash that Kafka takes for the keys of messages. */
public final class MurmurHash2 {
    private static final int M32 = 0x5bd1e995;
    private static final long M64 = 0xc6a4a7935bd1e995L;
    private static final int KAFKA_SEED = 0x9747b28c;
    private static final long GCC_SEED = 0xc70f6907L;

    private MurmurHash2() {}

    /** kafkaMurmurHash. */
    public static long kafka(UTF8String text) {
        return of32(text.getBytes(), KAFKA_SEED) & 0x7FFF_FFFFL;
    }

    /** gccMurmurHash. */
    public static long gcc(UTF8String text) {
        return of64(text.getBytes(), GCC_SEED);
    }

    static int of32(byte[] bytes, int seed) {
        int hash = seed ^ bytes.length;
        int whole = bytes.length & -4;
        for (int at = 0; at < whole; at += 4) {
            int word = intAt(bytes, at) * M32;
            hash = hash * M32 ^ (word ^ word >>> 24) * M32;
        }
        if (whole < bytes.length) {
            hash = (hash ^ (int) tail(bytes, whole, bytes.length)) * M32;
        }
        hash = (hash ^ hash >>> 13) * M32;
        return hash ^ hash >>> 15;
    }

    static long of64(byte[] bytes, long seed) {
        long hash = seed ^ bytes.length * M64;
        int whole = bytes.length & -8;
        for (int at = 0; at < whole; at += 8) {
            long word = longAt(bytes, at) * M64;
            hash = (hash ^ (word ^ word >>> 47) * M64) * M64;
        }
        if (whole < bytes.length) {
            hash = (hash ^ tail(bytes, whole, bytes.length)) * M64;
        }
        hash = (hash ^ hash >>> 47) * M64;
        return hash ^ hash >>> 47;
    }
}
