-- fail: UNSUPPORTED_FUNCTION 4:8
-- says: Use quantile.
CREATE TABLE t (id UInt64) ENGINE = MergeTree ORDER BY id;
SELECT quantileTDigest(0.9)(id) FROM t;
