-- folded
-- Each word with how often it came, whatever its case.
CREATE TABLE words (word STRING) WITH (
  'connector' = 'kafka', 'topic' = 'words', 'properties.bootstrap.servers' = 'x:1',
  'scan.startup.mode' = 'earliest-offset', 'format' = 'json'
);
CREATE TABLE counts (word STRING, n BIGINT, PRIMARY KEY (word) NOT ENFORCED) WITH (
  'connector' = 'upsert-kafka', 'topic' = 'counts', 'properties.bootstrap.servers' = 'x:1',
  'key.format' = 'json', 'value.format' = 'json'
);
INSERT INTO counts SELECT LOWER(word), COUNT(*) FROM words GROUP BY LOWER(word);
