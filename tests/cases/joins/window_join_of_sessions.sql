-- Sessions are joined where both bounds are equal; those without a partner are told at their end.
CREATE TABLE a (
  k STRING, v INT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts - INTERVAL '1' MINUTE
) WITH (
  'connector' = 'kafka', 'topic' = 'a', 'properties.bootstrap.servers' = 'localhost:9092',
  'scan.startup.mode' = 'earliest-offset', 'format' = 'json'
);
CREATE TABLE b WITH ('topic' = 'b') LIKE a;
CREATE TABLE found (how STRING, k STRING, a_n BIGINT, b_n BIGINT, a_end TIMESTAMP(3)) WITH (
  'connector' = 'kafka', 'topic' = 'found', 'properties.bootstrap.servers' = 'localhost:9092',
  'format' = 'json'
);
CREATE VIEW a_in AS SELECT k, COUNT(*) AS n, window_start, window_end
FROM TABLE(SESSION(TABLE a PARTITION BY k, DESCRIPTOR(ts), INTERVAL '5' SECOND))
GROUP BY k, window_start, window_end;
CREATE VIEW b_in AS SELECT k, COUNT(*) AS n, window_start, window_end
FROM TABLE(SESSION(TABLE b PARTITION BY k, DESCRIPTOR(ts), INTERVAL '5' SECOND))
GROUP BY k, window_start, window_end;
INSERT INTO found
SELECT 'left', a_in.k, a_in.n, b_in.n, a_in.window_end FROM a_in LEFT JOIN b_in
ON a_in.k = b_in.k AND a_in.window_start = b_in.window_start AND a_in.window_end = b_in.window_end;
INSERT INTO found
SELECT 'full', COALESCE(a_in.k, b_in.k), a_in.n, b_in.n, a_in.window_end FROM a_in FULL JOIN b_in
ON a_in.k = b_in.k AND a_in.window_start = b_in.window_start AND a_in.window_end = b_in.window_end;
INSERT INTO found
SELECT 'anti', k, n, 0, window_end FROM a_in WHERE NOT EXISTS (
  SELECT 1 FROM b_in WHERE a_in.k = b_in.k
  AND a_in.window_start = b_in.window_start AND a_in.window_end = b_in.window_end);
