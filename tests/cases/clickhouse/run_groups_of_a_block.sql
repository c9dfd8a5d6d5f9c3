-- dialect: clickhouse
-- partitions: 2
-- GROUP BY in a view is of one block, which never parts the rows of a message: groups of a message are
-- the same however the topic is cut into blocks.
CREATE TABLE queue (k LowCardinality(String), n Int32)
ENGINE = Kafka
SETTINGS kafka_broker_list = 'localhost:9092', kafka_topic_list = 'numbers', kafka_group_name = 'totals',
  kafka_format = 'JSONEachRow';

CREATE TABLE totals (message String, k String, rows UInt64, total Int64, first Int32)
ENGINE = Kafka
SETTINGS kafka_broker_list = 'localhost:9092', kafka_topic_list = 'totals', kafka_group_name = 'totals',
  kafka_format = 'JSONEachRow';

CREATE TABLE smallest (message String, n Int32)
ENGINE = Kafka
SETTINGS kafka_broker_list = 'localhost:9092', kafka_topic_list = 'smallest', kafka_group_name = 'totals',
  kafka_format = 'CSV';

CREATE MATERIALIZED VIEW totals_view TO totals AS
SELECT _key AS message, k, count() AS rows, sum(n) AS total, min(n) AS first
FROM queue
WHERE n > 0
GROUP BY message, k
HAVING total > 1;

CREATE MATERIALIZED VIEW smallest_view TO smallest AS
SELECT DISTINCT _key AS message, n FROM queue WHERE n < 0 ORDER BY n;
