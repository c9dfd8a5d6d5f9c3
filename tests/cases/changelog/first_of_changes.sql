-- folded
-- FIRST_VALUE, LAST_VALUE and LISTAGG of rows that change: what goes is not among them any more.
CREATE TABLE items (id INT, kind STRING, name STRING, PRIMARY KEY (id) NOT ENFORCED) WITH (
  'connector' = 'upsert-kafka', 'topic' = 'items', 'properties.bootstrap.servers' = 'x:1',
  'key.format' = 'json', 'value.format' = 'json'
);
CREATE TABLE rows_ (id INT, kind STRING, name STRING) WITH (
  'connector' = 'kafka', 'topic' = 'rows_', 'properties.bootstrap.servers' = 'x:1',
  'scan.startup.mode' = 'earliest-offset', 'format' = 'debezium-json'
);
CREATE TABLE kinds (
  kind STRING, one STRING, other STRING, names STRING, PRIMARY KEY (kind) NOT ENFORCED
) WITH (
  'connector' = 'upsert-kafka', 'topic' = 'kinds', 'properties.bootstrap.servers' = 'x:1',
  'key.format' = 'json', 'value.format' = 'json'
);
INSERT INTO kinds
SELECT kind, FIRST_VALUE(name), LAST_VALUE(name), LISTAGG(name) FROM items GROUP BY kind;
INSERT INTO kinds
SELECT kind, FIRST_VALUE(name), LAST_VALUE(name), LISTAGG(name) FROM rows_ GROUP BY kind;
