CREATE TABLE visits (
  who CHARACTER VARYING(20),
  opened TIME(0),
  seen TIME(3) ARRAY,
  color STRING,
  length INTERVAL DAY TO SECOND,
  ts TIMESTAMP(3) WITHOUT TIME ZONE,
  WATERMARK FOR ts AS ts
) WITH (
  'connector' = 'kafka',
  'properties.bootstrap.servers' = 'localhost:9092',
  'topic' = 'visits',
  'scan.startup.mode' = 'earliest-offset',
  'format' = 'json'
);
CREATE TABLE report (
  who STRING,
  first_opened TIME(3),
  closes TIME(3),
  colors MULTISET<STRING>,
  seen STRING,
  allowed INTERVAL DAY TO SECOND,
  spread DOUBLE,
  detail ROW(opened STRING, hours TINYINT)
) WITH (
  'connector' = 'kafka',
  'properties.bootstrap.servers' = 'localhost:9092',
  'topic' = 'report',
  'format' = 'json'
);
INSERT INTO report
SELECT
  who,
  MIN(opened),
  MAX(opened) + INTERVAL '9' HOUR,
  COLLECT(color),
  CAST(MAX(CAST(seen AS STRING)) AS STRING),
  INTERVAL '30' SECOND * CAST(COUNT(*) AS INT),
  STDDEV_POP(CAST(CARDINALITY(seen) AS DOUBLE)),
  CAST(ROW(MIN(opened), MAX(EXTRACT(HOUR FROM opened))) AS ROW<opened STRING, hours TINYINT>)
FROM TABLE(TUMBLE(TABLE visits, DESCRIPTOR(ts), INTERVAL '1' MINUTE))
WHERE length < INTERVAL '2' MINUTE OR length IS NULL
GROUP BY who, window_start, window_end;
