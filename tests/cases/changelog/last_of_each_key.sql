-- folded
-- Rows are held back, and the last of each key is written.
CREATE TABLE events (k_event_id BIGINT, payload STRING) WITH (
  'connector' = 'kafka', 'topic' = 'events', 'properties.bootstrap.servers' = 'x:1',
  'scan.startup.mode' = 'earliest-offset', 'format' = 'json'
);
CREATE TABLE newest (k_event_id BIGINT, payload STRING, PRIMARY KEY (k_event_id) NOT ENFORCED) WITH (
  'connector' = 'upsert-kafka', 'topic' = 'newest', 'properties.bootstrap.servers' = 'x:1',
  'key.format' = 'json', 'key.fields-prefix' = 'k_', 'value.format' = 'json',
  'value.fields-include' = 'EXCEPT_KEY',
  'sink.buffer-flush.max-rows' = '2', 'sink.buffer-flush.interval' = '100000'
);
INSERT INTO newest SELECT * FROM events;
