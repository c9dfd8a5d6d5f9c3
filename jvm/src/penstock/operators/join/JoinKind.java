package penstock.operators.join;

/** Which rows a join gives: pairs, and those of a side by whether they have a partner. */
enum JoinKind {
    INNER(true, Own.NONE, false),
    LEFT(true, Own.WITHOUT, false),
    RIGHT(true, Own.NONE, true),
    FULL(true, Own.WITHOUT, true),
    SEMI(false, Own.WITH, false),
    ANTI(false, Own.WITHOUT, false);

    /** Which rows of the left side are given by themselves: with a partner, without, or none. */
    enum Own {
        NONE,
        WITH,
        WITHOUT
    }

    private final boolean pairs;
    private final Own left;
    private final boolean right;

    JoinKind(boolean pairs, Own left, boolean right) {
        this.pairs = pairs;
        this.left = left;
        this.right = right;
    }

    boolean pairs() {
        return pairs;
    }

    /** What is given of the rows of a side by themselves. */
    Own own(boolean ofLeft) {
        if (ofLeft) {
            return left;
        }
        return right ? Own.WITHOUT : Own.NONE;
    }
}
