-- fail: UNSUPPORTED_QUERY 6:26
-- says: `p`, which is no table at rest, behind the first table of a materialized view
CREATE TABLE q (id UInt64) ENGINE = Kafka('h:9092', 't', 'g', 'JSONEachRow');
CREATE TABLE p (id UInt64) ENGINE = Kafka('h:9092', 'p', 'g', 'JSONEachRow');
CREATE TABLE t (id UInt64) ENGINE = MergeTree ORDER BY id;
CREATE MATERIALIZED VIEW v TO t AS SELECT q.id FROM q INNER JOIN p ON q.id = p.id;
