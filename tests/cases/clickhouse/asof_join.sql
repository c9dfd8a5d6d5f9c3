-- fail: INVALID_QUERY
-- says: ASOF JOIN has one inequality of two columns, not 2
CREATE TABLE q (id UInt64, level Enum8('a' = 1, 'b' = 2), ts DateTime) ENGINE = Kafka('h:9092', 't', 'g', 'JSONEachRow');
CREATE TABLE t (id UInt64, level String, day Date DEFAULT toDate(ts), ts DateTime) ENGINE = MergeTree ORDER BY id;
SELECT a.id FROM t AS a ASOF JOIN t AS b ON a.id = b.id AND a.ts >= b.ts AND a.day < b.day;
