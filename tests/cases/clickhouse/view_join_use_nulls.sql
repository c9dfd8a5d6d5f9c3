-- fail: UNSUPPORTED_SETTING 8:26
-- says: Write SETTINGS join_use_nulls = 1 behind the query of the view
CREATE TABLE q (id UInt64) ENGINE = Kafka('h:9092', 't', 'g', 'JSONEachRow');
CREATE TABLE names (id UInt64, name String) ENGINE = MergeTree ORDER BY id;
CREATE TABLE t (id UInt64, name Nullable(String)) ENGINE = MergeTree ORDER BY id;
CREATE MATERIALIZED VIEW v TO t AS SELECT q.id AS id, name FROM q LEFT JOIN names ON q.id = names.id SETTINGS join_use_nulls = 1;
SET join_use_nulls = 1;
CREATE MATERIALIZED VIEW w TO t AS SELECT q.id AS id, name FROM q LEFT JOIN names ON q.id = names.id;
