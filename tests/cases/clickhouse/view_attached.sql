-- fail: VIEW_ATTACHED 7:1
-- says: `v`
CREATE TABLE q (id UInt64, level Enum8('a' = 1, 'b' = 2), ts DateTime) ENGINE = Kafka('h:9092', 't', 'g', 'JSONEachRow');
CREATE TABLE t (id UInt64, level String, day Date DEFAULT toDate(ts), ts DateTime) ENGINE = MergeTree ORDER BY id;
SET stream_like_engine_allow_direct_select = 1;
CREATE MATERIALIZED VIEW v TO t AS SELECT id, level, ts FROM q;
SELECT * FROM q;
