-- folded
-- NOT EXISTS and NOT IN within a distance of times: a row is there until a partner comes.
CREATE TABLE orders (
  id INT, k STRING, ts TIMESTAMP(3), WATERMARK FOR ts AS ts - INTERVAL '1' SECOND
) WITH (
  'connector' = 'kafka', 'topic' = 'orders', 'properties.bootstrap.servers' = 'x:1',
  'scan.startup.mode' = 'earliest-offset', 'format' = 'json'
);
CREATE TABLE ships (
  order_id INT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts - INTERVAL '1' SECOND
) WITH (
  'connector' = 'kafka', 'topic' = 'ships', 'properties.bootstrap.servers' = 'x:1',
  'scan.startup.mode' = 'earliest-offset', 'format' = 'json'
);
CREATE TABLE unsent (id INT, k STRING, PRIMARY KEY (id) NOT ENFORCED) WITH (
  'connector' = 'upsert-kafka', 'topic' = 'unsent', 'properties.bootstrap.servers' = 'x:1',
  'key.format' = 'json', 'value.format' = 'json', 'value.fields-include' = 'EXCEPT_KEY'
);
CREATE TABLE surely_unsent (id INT, k STRING, PRIMARY KEY (id) NOT ENFORCED) WITH (
  'connector' = 'upsert-kafka', 'topic' = 'surely_unsent', 'properties.bootstrap.servers' = 'x:1',
  'key.format' = 'json', 'value.format' = 'json', 'value.fields-include' = 'EXCEPT_KEY'
);
INSERT INTO unsent
SELECT id, k FROM orders AS o WHERE NOT EXISTS (
  SELECT 1 FROM ships AS s
  WHERE s.order_id = o.id AND s.ts BETWEEN o.ts AND o.ts + INTERVAL '5' MINUTE
);
INSERT INTO surely_unsent
SELECT id, k FROM orders AS o WHERE id NOT IN (
  SELECT s.order_id FROM ships AS s WHERE s.ts BETWEEN o.ts AND o.ts + INTERVAL '5' MINUTE
);
