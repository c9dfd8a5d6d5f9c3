package penstock.functions.hash;

/** ClickHouse's intHash32 and intHash64. */
public final class IntHash {
    private static final long SALT_64 = 0x4CF2D2BAAE6DA887L;
    private static final long SALT_32 = 0x75D9543DE018BF45L;
    private static final long LOW = 0xFFFF_FFFFL;

    private IntHash() {}

    /** intHash64. */
    public static long of64(long number) {
        return mixed(number ^ SALT_64);
    }

    /** intHash32, as a number without a sign. */
    public static long of32(long number) {
        long key = number ^ SALT_32;
        key = ~key + (key << 18);
        key ^= Long.rotateRight(key, 31);
        key *= 21;
        key ^= Long.rotateRight(key, 11);
        key += key << 6;
        key ^= Long.rotateRight(key, 22);
        return key & LOW;
    }

    static long mixed(long number) {
        long key = (number ^ number >>> 33) * 0xff51afd7ed558ccdL;
        key = (key ^ key >>> 33) * 0xc4ceb9fe1a85ec53L;
        return key ^ key >>> 33;
    }
}
