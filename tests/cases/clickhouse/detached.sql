-- fail: UNKNOWN_TABLE 6:15
-- says: ATTACH TABLE q brings it back
CREATE TABLE q (id UInt64, level Enum8('a' = 1, 'b' = 2), ts DateTime) ENGINE = Kafka('h:9092', 't', 'g', 'JSONEachRow');
SET stream_like_engine_allow_direct_select = 1;
DETACH TABLE q;
SELECT * FROM q;
