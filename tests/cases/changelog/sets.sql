-- folded
-- INTERSECT and EXCEPT of tables that change, and how often each row is in the result.
CREATE TABLE a (id INT, name STRING, PRIMARY KEY (id) NOT ENFORCED) WITH (
  'connector' = 'upsert-kafka', 'topic' = 'a', 'properties.bootstrap.servers' = 'x:1',
  'key.format' = 'json', 'value.format' = 'json', 'value.fields-include' = 'EXCEPT_KEY'
);
CREATE TABLE b (id INT, name STRING, PRIMARY KEY (id) NOT ENFORCED) WITH (
  'connector' = 'upsert-kafka', 'topic' = 'b', 'properties.bootstrap.servers' = 'x:1',
  'key.format' = 'json', 'value.format' = 'json', 'value.fields-include' = 'EXCEPT_KEY'
);
CREATE TABLE both (name STRING, times BIGINT, PRIMARY KEY (name) NOT ENFORCED) WITH (
  'connector' = 'upsert-kafka', 'topic' = 'both', 'properties.bootstrap.servers' = 'x:1',
  'key.format' = 'json', 'value.format' = 'json', 'value.fields-include' = 'EXCEPT_KEY'
);
CREATE TABLE both_all (name STRING, times BIGINT, PRIMARY KEY (name) NOT ENFORCED) WITH (
  'connector' = 'upsert-kafka', 'topic' = 'both_all', 'properties.bootstrap.servers' = 'x:1',
  'key.format' = 'json', 'value.format' = 'json', 'value.fields-include' = 'EXCEPT_KEY'
);
CREATE TABLE only (name STRING, times BIGINT, PRIMARY KEY (name) NOT ENFORCED) WITH (
  'connector' = 'upsert-kafka', 'topic' = 'only', 'properties.bootstrap.servers' = 'x:1',
  'key.format' = 'json', 'value.format' = 'json', 'value.fields-include' = 'EXCEPT_KEY'
);
CREATE TABLE only_all (name STRING, times BIGINT, PRIMARY KEY (name) NOT ENFORCED) WITH (
  'connector' = 'upsert-kafka', 'topic' = 'only_all', 'properties.bootstrap.servers' = 'x:1',
  'key.format' = 'json', 'value.format' = 'json', 'value.fields-include' = 'EXCEPT_KEY'
);
INSERT INTO both SELECT name, COUNT(*) FROM (SELECT name FROM a INTERSECT SELECT name FROM b) GROUP BY name;
INSERT INTO both_all SELECT name, COUNT(*) FROM (SELECT name FROM a INTERSECT ALL SELECT name FROM b) GROUP BY name;
INSERT INTO only SELECT name, COUNT(*) FROM (SELECT name FROM a EXCEPT SELECT name FROM b) GROUP BY name;
INSERT INTO only_all SELECT name, COUNT(*) FROM (SELECT name FROM a EXCEPT ALL SELECT name FROM b) GROUP BY name;
