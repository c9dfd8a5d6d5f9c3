-- fail: INVALID_QUERY 4:13
-- says: ALTER is not supported by storage Kafka
CREATE TABLE q (id UInt64, level Enum8('a' = 1, 'b' = 2), ts DateTime) ENGINE = Kafka('h:9092', 't', 'g', 'JSONEachRow');
ALTER TABLE q ADD COLUMN x UInt8;
