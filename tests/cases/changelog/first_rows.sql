-- LIMIT without an order: the rows that come first, after which nothing follows.
CREATE TABLE clicks (id INT, page STRING) WITH (
  'connector' = 'kafka', 'topic' = 'clicks', 'properties.bootstrap.servers' = 'x:1',
  'scan.startup.mode' = 'earliest-offset', 'format' = 'json'
);
CREATE TABLE few (id INT, page STRING) WITH (
  'connector' = 'kafka', 'topic' = 'few', 'properties.bootstrap.servers' = 'x:1',
  'format' = 'json'
);
INSERT INTO few SELECT id, page FROM clicks LIMIT 3 OFFSET 1;
