-- folded
-- A table that is not read from its beginning: what was there before is unknown.
CREATE TABLE users (id INT, city STRING, PRIMARY KEY (id) NOT ENFORCED) WITH (
  'connector' = 'upsert-kafka', 'topic' = 'users', 'properties.bootstrap.servers' = 'x:1',
  'key.format' = 'json', 'value.format' = 'json',
  'penstock.scan.startup.mode' = 'specific-offsets',
  'penstock.scan.startup.specific-offsets' = 'partition:0,offset:1'
);
CREATE TABLE cities (city STRING, users BIGINT, PRIMARY KEY (city) NOT ENFORCED) WITH (
  'connector' = 'upsert-kafka', 'topic' = 'cities', 'properties.bootstrap.servers' = 'x:1',
  'key.format' = 'json', 'value.format' = 'json'
);
INSERT INTO cities SELECT city, COUNT(*) FROM users GROUP BY city;
