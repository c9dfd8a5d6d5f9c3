-- fail: INSERT_COLUMN_COUNT 5:13
-- says: [1 UInt8, 2 UInt8]
CREATE TABLE q (id UInt64, level Enum8('a' = 1, 'b' = 2), ts DateTime) ENGINE = Kafka('h:9092', 't', 'g', 'JSONEachRow');
CREATE TABLE t (id UInt64, level String, day Date DEFAULT toDate(ts), ts DateTime) ENGINE = MergeTree ORDER BY id;
INSERT INTO t SELECT 1, 2;
