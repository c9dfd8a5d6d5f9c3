-- fail: NO_DIRECT_SELECT 4:1
-- says: stream_like_engine_allow_direct_select
CREATE TABLE q (id UInt64, level Enum8('a' = 1, 'b' = 2), ts DateTime) ENGINE = Kafka('h:9092', 't', 'g', 'JSONEachRow');
SELECT * FROM q;
