-- fail: MISSING_OPTION 3:14
-- says: ORDER BY
CREATE TABLE a (x UInt8) ENGINE = MergeTree;
