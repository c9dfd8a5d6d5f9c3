-- fail: INVALID_QUERY 5:13
-- says: `q` is no table at rest
CREATE TABLE q (id UInt64, level Enum8('a' = 1, 'b' = 2), ts DateTime) ENGINE = Kafka('h:9092', 't', 'g', 'JSONEachRow');
CREATE TABLE t (id UInt64, level String, day Date DEFAULT toDate(ts), ts DateTime) ENGINE = MergeTree ORDER BY id;
ALTER TABLE q DELETE WHERE id = 1;
