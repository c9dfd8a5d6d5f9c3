-- fail: UNSUPPORTED_QUERY 6:26
-- says: over a UNION of several tables
CREATE TABLE a (id UInt64) ENGINE = Kafka('h:9092', 'a', 'g', 'JSONEachRow');
CREATE TABLE b (id UInt64) ENGINE = Kafka('h:9092', 'b', 'g', 'JSONEachRow');
CREATE TABLE t (id UInt64) ENGINE = Kafka('h:9092', 't', 'g', 'JSONEachRow');
CREATE MATERIALIZED VIEW v TO t AS SELECT max(id) AS id FROM (SELECT id FROM a UNION ALL SELECT id FROM b);
