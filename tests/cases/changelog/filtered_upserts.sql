-- folded
-- A row that no longer passes the filter is deleted; the key stands in the key alone.
CREATE TABLE items (id INT, name STRING, price DOUBLE, PRIMARY KEY (id) NOT ENFORCED) WITH (
  'connector' = 'upsert-kafka', 'topic' = 'items', 'properties.bootstrap.servers' = 'x:1',
  'key.format' = 'json', 'value.format' = 'json', 'value.fields-include' = 'EXCEPT_KEY'
);
CREATE TABLE dear (id INT, name STRING, price DOUBLE, PRIMARY KEY (id) NOT ENFORCED) WITH (
  'connector' = 'upsert-kafka', 'topic' = 'dear', 'properties.bootstrap.servers' = 'x:1',
  'key.format' = 'json', 'value.format' = 'json'
);
INSERT INTO dear SELECT id, UPPER(name), price FROM items WHERE price > 10;
