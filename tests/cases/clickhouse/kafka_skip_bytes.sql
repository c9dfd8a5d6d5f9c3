-- fail: INVALID_OPTION_VALUE 4:10
-- says: 0 to 255
CREATE TABLE a (x UInt8) ENGINE = Kafka('h', 't', 'g', 'CSV')
SETTINGS kafka_schema_registry_skip_bytes = 256;
