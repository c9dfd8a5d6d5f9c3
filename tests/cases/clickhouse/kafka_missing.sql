-- fail: MISSING_OPTION 3:14
-- says: kafka_format | argument 4
CREATE TABLE a (x UInt8) ENGINE = Kafka('h', 't', 'g');
