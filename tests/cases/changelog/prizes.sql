-- folded
-- RANK over what a database tells: rows alike have one place, and the place behind them is left out.
CREATE TABLE runners (id INT, team STRING, points INT) WITH (
  'connector' = 'kafka', 'topic' = 'runners', 'properties.bootstrap.servers' = 'x:1',
  'scan.startup.mode' = 'earliest-offset', 'format' = 'debezium-json'
);
CREATE TABLE prizes (id INT, team STRING, place BIGINT, PRIMARY KEY (id) NOT ENFORCED) WITH (
  'connector' = 'upsert-kafka', 'topic' = 'prizes', 'properties.bootstrap.servers' = 'x:1',
  'key.format' = 'json', 'value.format' = 'json'
);
INSERT INTO prizes
SELECT id, team, place FROM (
  SELECT *, RANK() OVER (PARTITION BY team ORDER BY points DESC) AS place FROM runners
) WHERE place <= 3;
