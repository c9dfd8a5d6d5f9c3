-- folded
-- Columns that nobody asks for stand before others; rows without a key are replaced as well.
CREATE TABLE events (v INT, town STRING) WITH (
  'connector' = 'kafka', 'topic' = 'events', 'properties.bootstrap.servers' = 'x:1',
  'scan.startup.mode' = 'earliest-offset', 'format' = 'json'
);
CREATE TABLE people (city STRING, note STRING, name STRING, id INT, PRIMARY KEY (id) NOT ENFORCED) WITH (
  'connector' = 'upsert-kafka', 'topic' = 'people', 'properties.bootstrap.servers' = 'x:1',
  'key.format' = 'json', 'value.format' = 'json', 'value.fields-include' = 'EXCEPT_KEY'
);
CREATE TABLE met (v INT, name STRING, PRIMARY KEY (v, name) NOT ENFORCED) WITH (
  'connector' = 'upsert-kafka', 'topic' = 'met', 'properties.bootstrap.servers' = 'x:1',
  'key.format' = 'json', 'value.format' = 'json'
);
CREATE TABLE towns (n BIGINT, events BIGINT, PRIMARY KEY (n) NOT ENFORCED) WITH (
  'connector' = 'upsert-kafka', 'topic' = 'towns', 'properties.bootstrap.servers' = 'x:1',
  'key.format' = 'json', 'value.format' = 'json'
);
INSERT INTO met
SELECT events.v, people.name FROM events JOIN people ON events.town = people.city;
INSERT INTO towns
SELECT COUNT(*), SUM(a.n) FROM (SELECT town, COUNT(*) AS n FROM events GROUP BY town) AS a
LEFT JOIN (SELECT city, COUNT(*) AS n FROM people GROUP BY city) AS b ON a.town = b.city;
