-- set: table.exec.sink.not-null-enforcer = DROP
-- Rows with NULL where a table has none are left out, also when they go.
CREATE TABLE users (id INT, city STRING, PRIMARY KEY (id) NOT ENFORCED) WITH (
  'connector' = 'upsert-kafka', 'topic' = 'users', 'properties.bootstrap.servers' = 'x:1',
  'key.format' = 'json', 'value.format' = 'json'
);
CREATE TABLE cities (city STRING NOT NULL, people BIGINT) WITH (
  'connector' = 'kafka', 'topic' = 'cities', 'properties.bootstrap.servers' = 'x:1',
  'format' = 'debezium-json'
);
INSERT INTO cities SELECT city, COUNT(*) FROM users GROUP BY city;
