-- fail: INVALID_QUERY
-- says: integral multiple of slide
CREATE TABLE source (id BIGINT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts) WITH (
  'connector' = 'kafka',
  'topic' = 't',
  'scan.startup.mode' = 'earliest-offset',
  'properties.bootstrap.servers' = 'x:1',
  'format' = 'json'
);
CREATE TABLE sink (n BIGINT) WITH (
  'connector' = 'kafka',
  'topic' = 's',
  'properties.bootstrap.servers' = 'x:1',
  'format' = 'json'
);
INSERT INTO sink
SELECT COUNT(*)
FROM TABLE(HOP(TABLE source, DESCRIPTOR(ts), INTERVAL '4' SECOND, INTERVAL '10' SECOND))
GROUP BY window_start, window_end;
