-- ordered
CREATE TABLE products (
  id INT,
  weight FLOAT,
  told_at TIMESTAMP_LTZ(3) METADATA FROM 'value.ingestion-timestamp' VIRTUAL,
  changed_at TIMESTAMP_LTZ(3) METADATA FROM 'value.source.timestamp' VIRTUAL,
  db STRING METADATA FROM 'value.source.database' VIRTUAL,
  tbl STRING METADATA FROM 'value.source.table' VIRTUAL,
  source MAP<STRING, STRING> METADATA FROM 'value.source.properties' VIRTUAL,
  `offset` BIGINT METADATA VIRTUAL
) WITH (
  'connector' = 'kafka',
  'properties.bootstrap.servers' = 'localhost:9092',
  'topic' = 'products',
  'scan.startup.mode' = 'earliest-offset',
  'value.format' = 'debezium-json',
  'value.debezium-json.schema-include' = 'true',
  'value.debezium-json.ignore-parse-errors' = 'true'
);
CREATE TABLE changes (
  id INT,
  weight FLOAT,
  told_at TIMESTAMP_LTZ(3),
  changed_at TIMESTAMP_LTZ(3),
  origin STRING,
  place STRING,
  at_offset BIGINT
) WITH (
  'connector' = 'kafka',
  'properties.bootstrap.servers' = 'localhost:9092',
  'topic' = 'changes',
  'format' = 'maxwell-json',
  'maxwell-json.timestamp-format.standard' = 'ISO-8601',
  'maxwell-json.encode.ignore-null-fields' = 'true'
);
INSERT INTO changes
SELECT id, weight, told_at, changed_at, db || '.' || tbl, source['file'] || ':' || source['pos'], `offset`
FROM products WHERE id > 109;
