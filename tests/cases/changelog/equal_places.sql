-- folded
-- Rows alike in the order stand as they came: the first two of a place keep it.
CREATE TABLE scores (game STRING, player STRING, points INT) WITH (
  'connector' = 'kafka', 'topic' = 'scores', 'properties.bootstrap.servers' = 'x:1',
  'scan.startup.mode' = 'earliest-offset', 'format' = 'json'
);
CREATE TABLE best (
  game STRING, place BIGINT, player STRING, points INT, PRIMARY KEY (game, place) NOT ENFORCED
) WITH (
  'connector' = 'upsert-kafka', 'topic' = 'best', 'properties.bootstrap.servers' = 'x:1',
  'key.format' = 'json', 'value.format' = 'json'
);
INSERT INTO best
SELECT game, place, player, points FROM (
  SELECT *, ROW_NUMBER() OVER (PARTITION BY game ORDER BY points DESC) AS place FROM scores
) WHERE place <= 3;
