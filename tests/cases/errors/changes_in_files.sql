-- fail: CONFLICTING_OPTIONS
-- says: Files of the format 'debezium-json' hold changes.
CREATE TABLE t (id INT) WITH (
  'connector' = 'filesystem', 'path' = '/tmp/t', 'format' = 'debezium-json'
);
