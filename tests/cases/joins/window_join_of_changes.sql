-- Windows over rows that change, with the rows of a stream in the same window, or alone.
CREATE TABLE carts (
  id INT, item STRING, ts TIMESTAMP(3),
  PRIMARY KEY (id) NOT ENFORCED, WATERMARK FOR ts AS ts - INTERVAL '1' MINUTE
) WITH (
  'connector' = 'upsert-kafka', 'topic' = 'carts',
  'properties.bootstrap.servers' = 'localhost:9092', 'key.format' = 'json', 'value.format' = 'json'
);
CREATE TABLE views (
  item STRING, v INT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts - INTERVAL '1' MINUTE
) WITH (
  'connector' = 'kafka', 'topic' = 'views', 'properties.bootstrap.servers' = 'localhost:9092',
  'scan.startup.mode' = 'earliest-offset', 'format' = 'json'
);
CREATE TABLE found (item STRING, n BIGINT, v INT) WITH (
  'connector' = 'kafka', 'topic' = 'found', 'properties.bootstrap.servers' = 'localhost:9092',
  'format' = 'json'
);
INSERT INTO found
SELECT c.item, c.n, v.v FROM (
  SELECT item, COUNT(*) AS n, window_start, window_end
  FROM TABLE(TUMBLE(TABLE carts, DESCRIPTOR(ts), INTERVAL '10' SECOND))
  GROUP BY item, window_start, window_end
) AS c LEFT JOIN TABLE(TUMBLE(TABLE views, DESCRIPTOR(ts), INTERVAL '10' SECOND)) AS v
ON c.item = v.item AND c.window_start = v.window_start AND c.window_end = v.window_end;
