-- fail: INVALID_QUERY
-- says: doesn't support consuming update and delete changes
CREATE TABLE orders (
  id INT, k STRING, amount INT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts,
  PRIMARY KEY (id) NOT ENFORCED
) WITH (
  'connector' = 'upsert-kafka', 'topic' = 'orders', 'properties.bootstrap.servers' = 'localhost:9092',
  'key.format' = 'json', 'value.format' = 'json'
);
CREATE TABLE sink (k STRING, n BIGINT) WITH ('connector' = 'print');
INSERT INTO sink
SELECT k, amount FROM (
  SELECT *, ROW_NUMBER() OVER (PARTITION BY window_start, window_end ORDER BY amount DESC) AS r
  FROM TABLE(TUMBLE(TABLE orders, DESCRIPTOR(ts), INTERVAL '1' MINUTE))
) WHERE r <= 3;
