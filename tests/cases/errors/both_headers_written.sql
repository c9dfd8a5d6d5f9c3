-- fail: INVALID_QUERY 3:65
-- says: The writable metadata is ambiguous.
CREATE TABLE t (id BIGINT, headers MAP<STRING, BYTES> METADATA, l ARRAY<ROW<key STRING, v BYTES>> METADATA FROM 'header-list') WITH (
  'connector' = 'kafka',
  'properties.bootstrap.servers' = 'x:1',
  'format' = 'json',
  'topic' = 't'
);
INSERT INTO t SELECT 1, NULL, NULL;
