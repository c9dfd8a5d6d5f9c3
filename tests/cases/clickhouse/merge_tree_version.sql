-- fail: CONFLICTING_OPTIONS 3:54
-- says: `w`
CREATE TABLE a (x UInt8) ENGINE = ReplacingMergeTree(w) ORDER BY x;
