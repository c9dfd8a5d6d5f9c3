-- ordered
-- partitions: 1
-- ORDER BY an event time: rows come out in its order when the watermark has passed them.
CREATE TABLE steps (
  id INT, k STRING, ts TIMESTAMP(3), WATERMARK FOR ts AS ts - INTERVAL '10' SECOND
) WITH (
  'connector' = 'kafka', 'topic' = 'steps', 'properties.bootstrap.servers' = 'localhost:9092',
  'scan.startup.mode' = 'earliest-offset', 'format' = 'json'
);
CREATE TABLE sorted (id INT, k STRING) WITH (
  'connector' = 'kafka', 'topic' = 'sorted', 'properties.bootstrap.servers' = 'localhost:9092',
  'format' = 'json'
);
INSERT INTO sorted
SELECT id, k FROM steps WHERE id < 9 ORDER BY ts, k DESC;

-- The same behind a step that hands on no hidden time, under another name.
CREATE TABLE firsts (ts TIMESTAMP(3), id INT) WITH (
  'connector' = 'kafka', 'topic' = 'firsts', 'properties.bootstrap.servers' = 'localhost:9092',
  'format' = 'json'
);
INSERT INTO firsts
SELECT ts, id FROM (
  SELECT id, ts, ROW_NUMBER() OVER (PARTITION BY k ORDER BY PROCTIME()) AS rn
  FROM steps WHERE id NOT IN (3, 4, 9)
) WHERE rn = 1 ORDER BY ts;
