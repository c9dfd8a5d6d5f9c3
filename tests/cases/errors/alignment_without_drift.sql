-- fail: CONFLICTING_OPTIONS 8:3
-- says: must be set when configuring watermark alignment
CREATE TABLE t (id BIGINT) WITH (
  'connector' = 'kafka',
  'properties.bootstrap.servers' = 'x:1',
  'format' = 'json',
  'topic' = 't',
  'scan.watermark.alignment.group' = 'g'
);
