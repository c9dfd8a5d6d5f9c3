-- folded
-- A table of changes that is read up to a bound, beside a stream.
CREATE TABLE events (v INT, id INT) WITH (
  'connector' = 'kafka', 'topic' = 'events', 'properties.bootstrap.servers' = 'x:1',
  'scan.startup.mode' = 'earliest-offset', 'format' = 'json'
);
CREATE TABLE people (id INT, name STRING, PRIMARY KEY (id) NOT ENFORCED) WITH (
  'connector' = 'upsert-kafka', 'topic' = 'people', 'properties.bootstrap.servers' = 'x:1',
  'key.format' = 'json', 'value.format' = 'json', 'scan.bounded.mode' = 'latest-offset'
);
CREATE TABLE met (v INT, name STRING, PRIMARY KEY (v) NOT ENFORCED) WITH (
  'connector' = 'upsert-kafka', 'topic' = 'met', 'properties.bootstrap.servers' = 'x:1',
  'key.format' = 'json', 'value.format' = 'json'
);
INSERT INTO met SELECT events.v, people.name FROM events JOIN people ON events.id = people.id;
