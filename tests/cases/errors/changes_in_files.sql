-- fail: CONFLICTING_OPTIONS
-- says: Messages of the format 'debezium-json' are changes.
CREATE TABLE t (id INT) WITH (
  'connector' = 'filesystem', 'path' = '/tmp/t', 'format' = 'debezium-json'
);
