-- folded
-- The same key goes in and out: each message is passed on, and deletions delete.
CREATE TABLE items (k_id INT, name STRING, price DOUBLE, PRIMARY KEY (k_id) NOT ENFORCED) WITH (
  'connector' = 'upsert-kafka', 'topic' = 'items', 'properties.bootstrap.servers' = 'x:1',
  'key.format' = 'json', 'key.fields-prefix' = 'k_', 'value.format' = 'json',
  'value.fields-include' = 'EXCEPT_KEY'
);
CREATE TABLE copy (id INT, price DOUBLE, PRIMARY KEY (id) NOT ENFORCED) WITH (
  'connector' = 'upsert-kafka', 'topic' = 'copy', 'properties.bootstrap.servers' = 'x:1',
  'key.format' = 'json', 'value.format' = 'csv', 'value.fields-include' = 'EXCEPT_KEY'
);
INSERT INTO copy SELECT k_id, price * 2 FROM items;
