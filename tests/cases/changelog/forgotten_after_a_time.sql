-- folded
-- With a time to live also DISTINCT and an inner join forget: both run on the changelog engine.
SET 'table.exec.state.ttl' = '1 h';
CREATE TABLE a (id INT, x INT) WITH (
  'connector' = 'kafka', 'topic' = 'a', 'properties.bootstrap.servers' = 'x:1',
  'scan.startup.mode' = 'earliest-offset', 'format' = 'json'
);
CREATE TABLE b (id INT, y INT) WITH (
  'connector' = 'kafka', 'topic' = 'b', 'properties.bootstrap.servers' = 'x:1',
  'scan.startup.mode' = 'earliest-offset', 'format' = 'json'
);
CREATE TABLE ids (id INT, PRIMARY KEY (id) NOT ENFORCED) WITH (
  'connector' = 'upsert-kafka', 'topic' = 'ids', 'properties.bootstrap.servers' = 'x:1',
  'key.format' = 'json', 'value.format' = 'json'
);
CREATE TABLE pairs (x INT, y INT, PRIMARY KEY (x, y) NOT ENFORCED) WITH (
  'connector' = 'upsert-kafka', 'topic' = 'pairs', 'properties.bootstrap.servers' = 'x:1',
  'key.format' = 'json', 'value.format' = 'json'
);
INSERT INTO ids SELECT DISTINCT id FROM a WHERE id IS NOT NULL;
INSERT INTO pairs SELECT x, y FROM a JOIN b ON a.id = b.id;
