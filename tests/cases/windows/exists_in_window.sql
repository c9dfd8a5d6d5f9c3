-- Rows that have a partner in their window, and rows that have none.
CREATE TABLE a (
  k STRING, v INT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts - INTERVAL '1' MINUTE
) WITH (
  'connector' = 'kafka', 'topic' = 'a', 'properties.bootstrap.servers' = 'localhost:9092',
  'scan.startup.mode' = 'earliest-offset', 'format' = 'json'
);
CREATE TABLE b (
  k STRING, v INT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts - INTERVAL '1' MINUTE
) WITH (
  'connector' = 'kafka', 'topic' = 'b', 'properties.bootstrap.servers' = 'localhost:9092',
  'scan.startup.mode' = 'earliest-offset', 'format' = 'json'
);
CREATE TABLE found (kind STRING, a_v INT, b_v INT) WITH (
  'connector' = 'kafka', 'topic' = 'found', 'properties.bootstrap.servers' = 'localhost:9092',
  'format' = 'json'
);
CREATE VIEW a_in AS SELECT * FROM TABLE(TUMBLE(TABLE a, DESCRIPTOR(ts), INTERVAL '10' SECOND));
CREATE VIEW b_in AS SELECT * FROM TABLE(TUMBLE(TABLE b, DESCRIPTOR(ts), INTERVAL '10' SECOND));
INSERT INTO found
SELECT 'some', v, CAST(NULL AS INT) FROM a_in WHERE EXISTS (
  SELECT * FROM b_in WHERE a_in.k = b_in.k
  AND a_in.window_start = b_in.window_start AND a_in.window_end = b_in.window_end
);
INSERT INTO found
SELECT 'none', v, CAST(NULL AS INT) FROM a_in WHERE NOT EXISTS (
  SELECT * FROM b_in WHERE a_in.k = b_in.k
  AND a_in.window_start = b_in.window_start AND a_in.window_end = b_in.window_end
);
