-- fail: INVALID_QUERY 4:26
-- says: cannot be created from table functions: `numbers`
CREATE TABLE t (n UInt64) ENGINE = MergeTree ORDER BY n;
CREATE MATERIALIZED VIEW v TO t AS SELECT number AS n FROM numbers(3);
