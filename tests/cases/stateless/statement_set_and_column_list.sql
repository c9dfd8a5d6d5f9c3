CREATE TABLE t (a INT, b STRING, c AS a * 10) WITH (
  'connector' = 'kafka',
  'properties.bootstrap.servers' = 'localhost:9092',
  'topic' = 't',
  'scan.startup.mode' = 'earliest-offset',
  'format' = 'json'
);
CREATE TABLE s1 (x INT, y STRING, z INT) WITH (
  'connector' = 'kafka',
  'properties.bootstrap.servers' = 'localhost:9092',
  'topic' = 's1',
  'format' = 'json'
);
CREATE TABLE s2 (b STRING) WITH (
  'connector' = 'kafka',
  'properties.bootstrap.servers' = 'localhost:9092',
  'topic' = 's2',
  'format' = 'csv'
);
EXECUTE STATEMENT SET
BEGIN
  INSERT INTO s1 (z, x) SELECT c, a FROM t;
  INSERT INTO s2 SELECT b FROM t WHERE a = 2;
END;
