-- fail: CONFLICTING_OPTIONS 3:26
-- says: `y` is MATERIALIZED
CREATE TABLE a (x UInt8, y UInt8 MATERIALIZED x) ENGINE = Kafka('h', 't', 'g', 'CSV');
