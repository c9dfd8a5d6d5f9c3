-- fail: UNSUPPORTED_QUERY
-- says: A session on processing time over rows that change
CREATE TABLE clicks (
  id INT, page STRING, at AS PROCTIME(), PRIMARY KEY (id) NOT ENFORCED
) WITH (
  'connector' = 'upsert-kafka', 'topic' = 'clicks', 'properties.bootstrap.servers' = 'localhost:9092',
  'key.format' = 'json', 'value.format' = 'json'
);
CREATE TABLE sink (page STRING, n BIGINT) WITH ('connector' = 'print');
INSERT INTO sink
SELECT page, COUNT(*) FROM clicks GROUP BY page, SESSION(at, INTERVAL '1' MINUTE);
