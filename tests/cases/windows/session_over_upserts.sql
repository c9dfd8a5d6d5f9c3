-- Rows that change and go while their sessions are open: a session is told of those that are left.
CREATE TABLE clicks (
  id INT, visitor STRING, amount INT, ts TIMESTAMP(3),
  PRIMARY KEY (id) NOT ENFORCED, WATERMARK FOR ts AS ts - INTERVAL '1' MINUTE
) WITH (
  'connector' = 'upsert-kafka', 'topic' = 'clicks',
  'properties.bootstrap.servers' = 'localhost:9092', 'key.format' = 'json', 'value.format' = 'json'
);
CREATE TABLE visits (
  visitor STRING, w_start TIMESTAMP(3), w_end TIMESTAMP(3), w_time TIMESTAMP(3), n BIGINT,
  total INT, dearest INT, amounts BIGINT
) WITH (
  'connector' = 'kafka', 'topic' = 'visits', 'properties.bootstrap.servers' = 'localhost:9092',
  'format' = 'json'
);
INSERT INTO visits
SELECT visitor, window_start, window_end, window_time, COUNT(*), SUM(amount), MAX(amount),
  COUNT(DISTINCT amount)
FROM TABLE(SESSION(TABLE clicks PARTITION BY visitor, DESCRIPTOR(ts), INTERVAL '10' SECOND))
GROUP BY visitor, window_start, window_end;
