-- fail: REFUSED_OPTION 8:3
-- says: auto.offset.reset can not be set to sometimes. Valid values: [latest,earliest,none]
CREATE TABLE t (id BIGINT) WITH (
  'connector' = 'kafka',
  'properties.bootstrap.servers' = 'x:1',
  'format' = 'json',
  'topic' = 't',
  'properties.auto.offset.reset' = 'sometimes'
);
