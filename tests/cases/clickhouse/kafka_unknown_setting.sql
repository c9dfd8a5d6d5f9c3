-- fail: UNKNOWN_OPTION 4:10
-- says: Did you mean 'kafka_num_consumers'?
CREATE TABLE a (x UInt8) ENGINE = Kafka('h', 't', 'g', 'CSV')
SETTINGS kafka_num_consumer = 1;
