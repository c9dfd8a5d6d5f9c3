CREATE TABLE messages (
  id BIGINT,
  sent BIGINT,
  note STRING
) WITH (
  'connector' = 'kafka',
  'topic' = '${input}',
  'properties.bootstrap.servers' = '${address}',
  'scan.startup.mode' = 'earliest-offset',
  'scan.bounded.mode' = '${until}',
  'format' = 'json'
);

CREATE TABLE output (
  id BIGINT,
  sent BIGINT,
  note STRING
) WITH (
  'connector' = 'kafka',
  'topic' = '${output}',
  'properties.bootstrap.servers' = '${address}',
  'format' = 'json'
);

INSERT INTO output SELECT * FROM messages;
