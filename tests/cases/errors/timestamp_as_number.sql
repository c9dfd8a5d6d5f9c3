-- fail: INVALID_METADATA_TYPE 3:28
-- says: Invalid data type for metadata column `ts` | must be castable from metadata type TIMESTAMP_LTZ(3) NOT NULL
CREATE TABLE t (id BIGINT, ts BIGINT METADATA FROM 'timestamp') WITH (
  'connector' = 'kafka',
  'properties.bootstrap.servers' = 'x:1',
  'format' = 'json',
  'topic' = 't'
);
