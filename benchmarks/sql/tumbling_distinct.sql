CREATE TABLE events (
  user_id BIGINT,
  item_id BIGINT,
  category STRING,
  behavior STRING,
  ts TIMESTAMP(3),
  WATERMARK FOR ts AS ts
) WITH (
  'connector' = 'kafka',
  'topic' = '${input}',
  'properties.bootstrap.servers' = '${address}',
  'scan.startup.mode' = 'earliest-offset',
  'scan.bounded.mode' = '${until}',
  'format' = 'json'${options}
);

CREATE TABLE output (
  category STRING,
  window_start TIMESTAMP(3),
  visits BIGINT
) WITH (
  'connector' = 'kafka',
  'topic' = '${output}',
  'properties.bootstrap.servers' = '${address}',
  'format' = 'json'
);

INSERT INTO output
SELECT category, window_start, COUNT(DISTINCT user_id)
FROM TABLE(TUMBLE(TABLE events, DESCRIPTOR(ts), INTERVAL '10' SECOND))
GROUP BY category, window_start, window_end;
