-- fail: CONFLICTING_OPTIONS 4:10
-- says: №4 | kafka_format
CREATE TABLE a (x UInt8) ENGINE = Kafka('h', 't', 'g', 'CSV')
SETTINGS kafka_format = 'CSV';
