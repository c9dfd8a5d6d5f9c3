-- fail: UNSUPPORTED_QUERY
-- says: 'table.exec.state.ttl' with a window above a step that forgets by it
CREATE TABLE orders (
  id INT, k STRING, amount INT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts,
  PRIMARY KEY (id) NOT ENFORCED
) WITH (
  'connector' = 'upsert-kafka', 'topic' = 'orders', 'properties.bootstrap.servers' = 'localhost:9092',
  'key.format' = 'json', 'value.format' = 'json'
);
CREATE TABLE sink (k STRING, n BIGINT) WITH ('connector' = 'print');
SET 'table.exec.state.ttl' = '1 h';
INSERT INTO sink
SELECT k, SUM(amount)
FROM TABLE(TUMBLE(TABLE orders, DESCRIPTOR(ts), INTERVAL '1' MINUTE))
GROUP BY k, window_start, window_end;
