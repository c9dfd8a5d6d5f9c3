-- fail: READ_ONLY_COLUMN 3:28
-- says: Invalid metadata key 'topic' in column `topic` | headers, header-list, timestamp
CREATE TABLE t (id BIGINT, topic STRING METADATA) WITH (
  'connector' = 'kafka',
  'properties.bootstrap.servers' = 'x:1',
  'format' = 'json',
  'topic' = 't'
);
INSERT INTO t SELECT 1, 't';
