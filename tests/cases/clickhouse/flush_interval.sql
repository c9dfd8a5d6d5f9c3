-- fail: INVALID_SETTING 3:5
-- says: stream_flush_interval_ms
SET stream_flush_interval_ms = 'soon';
CREATE TABLE a (x UInt8) ENGINE = Kafka('h', 't', 'g', 'CSV');
