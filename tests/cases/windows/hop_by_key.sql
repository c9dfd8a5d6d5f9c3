-- folded
-- The bounds of overlapping windows are part of the key of their groups: one row of the sink for each.
CREATE TABLE clicks (
  page STRING, ts TIMESTAMP(3), WATERMARK FOR ts AS ts - INTERVAL '1' SECOND
) WITH (
  'connector' = 'kafka', 'topic' = 'clicks', 'properties.bootstrap.servers' = 'localhost:9092',
  'scan.startup.mode' = 'earliest-offset', 'format' = 'json'
);
CREATE TABLE per_page (
  page STRING, w_start TIMESTAMP(3), w_end TIMESTAMP(3), clicks BIGINT,
  PRIMARY KEY (page, w_start, w_end) NOT ENFORCED
) WITH (
  'connector' = 'upsert-kafka', 'topic' = 'per_page', 'properties.bootstrap.servers' = 'localhost:9092',
  'key.format' = 'json', 'value.format' = 'json', 'value.fields-include' = 'EXCEPT_KEY'
);
INSERT INTO per_page
SELECT page, window_start, window_end, COUNT(*)
FROM TABLE(HOP(TABLE clicks, DESCRIPTOR(ts), INTERVAL '5' SECOND, INTERVAL '10' SECOND))
GROUP BY page, window_start, window_end;
