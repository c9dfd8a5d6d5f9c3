-- fail: INVALID_OPTION_VALUE 8:3
-- says: 'at-least-once'
CREATE TABLE source (id BIGINT) WITH (
  'connector' = 'kafka',
  'topic' = 't',
  'properties.bootstrap.servers' = 'x:1',
  'format' = 'json',
  'sink.delivery-guarantee' = 'exactly-once'
);
