-- fail: CONFLICTING_OPTIONS 3:14
-- says: Property group.id is required when using committed offset for offsets initializer | (the default)
CREATE TABLE t (id BIGINT) WITH (
  'connector' = 'kafka',
  'properties.bootstrap.servers' = 'x:1',
  'format' = 'json',
  'topic' = 't'
);
CREATE TABLE s (id BIGINT) WITH ('connector' = 'blackhole');
INSERT INTO s SELECT id FROM t;
