-- What a database tells, in sessions of all rows, and those in windows again.
CREATE TABLE steps (
  id INT, worker STRING, ts TIMESTAMP(3), WATERMARK FOR ts AS ts - INTERVAL '1' MINUTE
) WITH (
  'connector' = 'kafka', 'topic' = 'steps', 'properties.bootstrap.servers' = 'localhost:9092',
  'scan.startup.mode' = 'earliest-offset', 'format' = 'debezium-json'
);
CREATE TABLE bursts (began TIMESTAMP(3), ended TIMESTAMP(3), n BIGINT, workers STRING) WITH (
  'connector' = 'kafka', 'topic' = 'bursts', 'properties.bootstrap.servers' = 'localhost:9092',
  'format' = 'json'
);
CREATE TABLE per_minute (ended TIMESTAMP(3), bursts BIGINT, n BIGINT) WITH (
  'connector' = 'kafka', 'topic' = 'per_minute', 'properties.bootstrap.servers' = 'localhost:9092',
  'format' = 'json'
);
CREATE VIEW all_bursts AS
SELECT SESSION_START(ts, INTERVAL '5' SECOND) AS began, SESSION_END(ts, INTERVAL '5' SECOND) AS ended,
  SESSION_ROWTIME(ts, INTERVAL '5' SECOND) AS at, COUNT(*) AS n, FIRST_VALUE(worker) AS workers
FROM steps GROUP BY SESSION(ts, INTERVAL '5' SECOND);
INSERT INTO bursts SELECT began, ended, n, workers FROM all_bursts WHERE n > 1;
INSERT INTO per_minute
SELECT TUMBLE_END(at, INTERVAL '1' MINUTE), COUNT(*), SUM(n)
FROM all_bursts GROUP BY TUMBLE(at, INTERVAL '1' MINUTE);
