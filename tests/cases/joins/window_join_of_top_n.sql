-- The best item of each window, with how often it was seen in it, and with each time it was seen.
CREATE TABLE bids (
  item STRING, price INT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts - INTERVAL '1' MINUTE
) WITH (
  'connector' = 'kafka', 'topic' = 'bids', 'properties.bootstrap.servers' = 'localhost:9092',
  'scan.startup.mode' = 'earliest-offset', 'format' = 'json'
);
CREATE TABLE views (
  item STRING, ts TIMESTAMP(3), WATERMARK FOR ts AS ts - INTERVAL '1' MINUTE
) WITH (
  'connector' = 'kafka', 'topic' = 'views', 'properties.bootstrap.servers' = 'localhost:9092',
  'scan.startup.mode' = 'earliest-offset', 'format' = 'json'
);
CREATE TABLE best_seen (item STRING, total INT, n BIGINT, w_end TIMESTAMP(3)) WITH (
  'connector' = 'kafka', 'topic' = 'best_seen', 'properties.bootstrap.servers' = 'localhost:9092',
  'format' = 'json'
);
CREATE TABLE sights (item STRING, total INT, seen STRING) WITH (
  'connector' = 'kafka', 'topic' = 'sights', 'properties.bootstrap.servers' = 'localhost:9092',
  'format' = 'json'
);
CREATE TABLE counts (n BIGINT, w_end TIMESTAMP(3)) WITH (
  'connector' = 'kafka', 'topic' = 'counts', 'properties.bootstrap.servers' = 'localhost:9092',
  'format' = 'json'
);
CREATE VIEW best AS SELECT item, total, window_start, window_end FROM (
  SELECT *, ROW_NUMBER() OVER (PARTITION BY window_start, window_end ORDER BY total DESC) AS place
  FROM (
    SELECT item, SUM(price) AS total, window_start, window_end
    FROM TABLE(TUMBLE(TABLE bids, DESCRIPTOR(ts), INTERVAL '10' SECOND))
    GROUP BY item, window_start, window_end
  )
) WHERE place = 1;
CREATE VIEW viewed AS
SELECT * FROM TABLE(TUMBLE(TABLE views, DESCRIPTOR(ts), INTERVAL '10' SECOND));
INSERT INTO best_seen
SELECT b.item, b.total, s.n, s.window_end FROM best AS b JOIN (
  SELECT item, COUNT(*) AS n, window_start, window_end FROM viewed
  GROUP BY item, window_start, window_end
) AS s ON b.item = s.item AND b.window_start = s.window_start AND b.window_end = s.window_end;
INSERT INTO sights
SELECT b.item, b.total, v.item FROM best AS b FULL JOIN viewed AS v
ON b.item = v.item AND b.window_start = v.window_start AND b.window_end = v.window_end;
INSERT INTO counts
SELECT COUNT(*), b.window_end FROM best AS b LEFT JOIN viewed AS v
ON b.item = v.item AND b.window_start = v.window_start AND b.window_end = v.window_end
GROUP BY b.window_start, b.window_end;
