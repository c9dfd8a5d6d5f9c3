-- Tables that end: sessions, and what OVER says by no time, of the rows that are left then.
CREATE TABLE steps (
  id INT, worker STRING, cost INT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts
) WITH (
  'connector' = 'kafka', 'topic' = 'steps', 'properties.bootstrap.servers' = 'localhost:9092',
  'scan.startup.mode' = 'earliest-offset', 'scan.bounded.mode' = 'latest-offset',
  'format' = 'debezium-json'
);
CREATE TABLE bursts (worker STRING, began TIMESTAMP(3), ended TIMESTAMP(3), n BIGINT) WITH (
  'connector' = 'kafka', 'topic' = 'bursts', 'properties.bootstrap.servers' = 'localhost:9092',
  'format' = 'json'
);
CREATE TABLE costs (id INT, up_to INT) WITH (
  'connector' = 'kafka', 'topic' = 'costs', 'properties.bootstrap.servers' = 'localhost:9092',
  'format' = 'debezium-json'
);
INSERT INTO bursts
SELECT worker, window_start, window_end, COUNT(*)
FROM TABLE(SESSION(TABLE steps PARTITION BY worker, DESCRIPTOR(ts), INTERVAL '5' SECOND))
GROUP BY worker, window_start, window_end;
INSERT INTO costs SELECT id, SUM(cost) OVER (PARTITION BY worker ORDER BY cost) FROM steps;
