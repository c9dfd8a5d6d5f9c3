-- fail: UNKNOWN_FORMAT 3:56
-- says: Did you mean 'JSONEachRow'?
CREATE TABLE a (x UInt8) ENGINE = Kafka('h', 't', 'g', 'JsonEachRow');
