package penstock.functions;

import java.io.Serializable;
import java.util.Random;

/** RAND and RAND_INTEGER with a seed: one sequence per task for a literal one. */
public final class Randoms implements Serializable {
    private static final long serialVersionUID = 1L;

    private final Integer seed;
    private transient Random random;

    /** The seed, or null for none. */
    public Randoms(Integer seed) {
        this.seed = seed;
    }

    private Random random() {
        if (random == null) {
            random = seed == null ? new Random() : new Random(seed);
        }
        return random;
    }

    /** The next of the sequence, from 0 to 1. */
    public double nextDouble() {
        return random().nextDouble();
    }

    /** The next of the sequence, from 0 to below the bound. */
    public int nextInt(int bound) {
        return random().nextInt(bound);
    }

    /** The first number of a row's own seed. */
    public static double seededDouble(int seed) {
        return new Random(seed).nextDouble();
    }

    /** The first integer of a row's own seed. */
    public static int seededInt(int seed, int bound) {
        return new Random(seed).nextInt(bound);
    }
}
