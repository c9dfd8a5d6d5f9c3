-- fail: UNSUPPORTED_QUERY 5:26
-- says: A query as a value in a materialized view
CREATE TABLE q (id UInt64) ENGINE = Kafka('h:9092', 't', 'g', 'JSONEachRow');
CREATE TABLE t (id UInt64) ENGINE = MergeTree ORDER BY id;
CREATE MATERIALIZED VIEW v TO t AS SELECT id + (SELECT max(id) FROM t) AS id FROM q;
