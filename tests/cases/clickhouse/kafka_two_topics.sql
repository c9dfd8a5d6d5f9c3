-- fail: SINK_NEEDS_ONE_TOPIC 4:13
-- dialect: clickhouse
CREATE TABLE a (x UInt8) ENGINE = Kafka('h', 'a,b', 'g', 'CSV');
INSERT INTO a SELECT 1;
