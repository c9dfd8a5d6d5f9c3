-- fail: UNKNOWN_FORMAT 3:56
-- says: 'Native' | JSONEachRow
CREATE TABLE a (x UInt8) ENGINE = Kafka('h', 't', 'g', 'Native');
