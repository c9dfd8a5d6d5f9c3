-- fail: CONFLICTING_OPTIONS 3:14
-- says: `w`
CREATE TABLE a (x UInt8) ENGINE = ReplacingMergeTree(w) ORDER BY x;
