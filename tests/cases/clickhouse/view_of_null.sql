-- fail: NOT_A_SOURCE 5:60
-- says: Make it a MergeTree table, with a TTL
CREATE TABLE gone (n Int64) ENGINE = Null;
CREATE TABLE kept (n Int64) ENGINE = Kafka('kafka_host:9092', 'kept', 'g', 'JSONEachRow');
CREATE MATERIALIZED VIEW consumer TO kept AS SELECT n FROM gone WHERE n > 0;
