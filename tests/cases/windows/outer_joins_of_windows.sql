-- Rows of one window that have partners in it, and those that have none.
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
SELECT 'full', a_in.v, b_in.v FROM a_in FULL JOIN b_in
ON a_in.k = b_in.k AND a_in.window_start = b_in.window_start AND a_in.window_end = b_in.window_end;
INSERT INTO found
SELECT 'right', a_in.v, b_in.v FROM a_in RIGHT JOIN b_in
ON a_in.k = b_in.k AND a_in.window_start = b_in.window_start AND a_in.window_end = b_in.window_end
WHERE a_in.v IS NULL OR b_in.v > 10;
