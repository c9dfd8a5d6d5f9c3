-- fail: CONFLICTING_OPTIONS
-- says: Messages of the format 'avro' are no lines of a file.
CREATE TABLE t (a STRING) WITH ('connector' = 'filesystem', 'path' = '/tmp/t', 'format' = 'avro');
