-- fail: UNSUPPORTED_CLAUSE
-- says: WITH TOTALS
CREATE TABLE q (id UInt64, level Enum8('a' = 1, 'b' = 2), ts DateTime) ENGINE = Kafka('h:9092', 't', 'g', 'JSONEachRow');
CREATE TABLE t (id UInt64, level String, day Date DEFAULT toDate(ts), ts DateTime) ENGINE = MergeTree ORDER BY id;
SELECT id, count() FROM t GROUP BY id WITH TOTALS;
