-- A versioned table by the time of its messages: changes, deletions, a row that comes back.
CREATE TABLE views (
  id INT, user_id INT, length INT, at TIMESTAMP(3), WATERMARK FOR at AS at
) WITH (
  'connector' = 'kafka', 'topic' = 'views', 'properties.bootstrap.servers' = 'localhost:9092',
  'scan.startup.mode' = 'earliest-offset', 'format' = 'json'
);
CREATE TABLE users (
  user_id INT, name STRING, least INT, loud AS UPPER(name),
  since TIMESTAMP(3) METADATA FROM 'timestamp',
  PRIMARY KEY (user_id) NOT ENFORCED, WATERMARK FOR since AS since
) WITH (
  'connector' = 'upsert-kafka', 'topic' = 'users',
  'properties.bootstrap.servers' = 'localhost:9092', 'key.format' = 'json', 'value.format' = 'json'
);
CREATE TABLE long_views (id INT, name STRING, since TIMESTAMP(3)) WITH (
  'connector' = 'kafka', 'topic' = 'long_views', 'properties.bootstrap.servers' = 'localhost:9092',
  'format' = 'json'
);
CREATE TABLE all_views (id INT, name STRING, neighbour STRING) WITH (
  'connector' = 'kafka', 'topic' = 'all_views', 'properties.bootstrap.servers' = 'localhost:9092',
  'format' = 'json'
);
INSERT INTO long_views
SELECT v.id, u.loud, u.since
FROM views v JOIN users FOR SYSTEM_TIME AS OF v.at AS u
  ON v.user_id = u.user_id AND v.length >= u.least
WHERE u.loud <> 'ROOT';
INSERT INTO all_views
SELECT v.id, u.name, n.name
FROM views v
LEFT JOIN users FOR SYSTEM_TIME AS OF v.at AS u ON v.user_id = u.user_id AND v.length >= u.least
LEFT JOIN users FOR SYSTEM_TIME AS OF v.at AS n ON v.user_id + 1 = n.user_id;
