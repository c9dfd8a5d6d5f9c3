-- folded
-- Rows alike in the order stand as they came: the first two of a place keep it.
-- How many stand there may be said by a column of the partition.
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
CREATE TABLE seated (
  game STRING, seats INT, place BIGINT, player STRING, PRIMARY KEY (game, seats, place) NOT ENFORCED
) WITH (
  'connector' = 'upsert-kafka', 'topic' = 'seated', 'properties.bootstrap.servers' = 'x:1',
  'key.format' = 'json', 'value.format' = 'json', 'value.fields-include' = 'EXCEPT_KEY'
);
INSERT INTO best
SELECT game, place, player, points FROM (
  SELECT *, ROW_NUMBER() OVER (PARTITION BY game ORDER BY points DESC) AS place FROM scores
) WHERE place <= 3;
INSERT INTO seated
SELECT game, seats, place, player FROM (
  SELECT *, ROW_NUMBER() OVER (PARTITION BY game, seats ORDER BY points DESC) AS place
  FROM (SELECT *, CHAR_LENGTH(game) - 1 AS seats FROM scores)
) WHERE place <= seats;
