-- fail: UNKNOWN_METADATA
-- says: value.database, value.table, value.sql-type, value.pk-names, value.ingestion-timestamp, value.event-timestamp
CREATE TABLE t (id INT, o STRING METADATA FROM 'value.source.table' VIRTUAL) WITH (
  'connector' = 'kafka', 'topic' = 't', 'properties.bootstrap.servers' = 'x:1',
  'format' = 'canal-json'
);
