-- dialect: clickhouse
-- Tables of ClickHouse's own tests: the empty message and the tombstone of JSONAsString, nested names,
-- lines of CSV in one message, a view over a subquery, settings as arguments.
CREATE TABLE documents (json String)
ENGINE = Kafka
SETTINGS kafka_broker_list = 'localhost:9092', kafka_topic_list = 'documents', kafka_group_name = 'formats',
  kafka_format = 'JSONAsString';

CREATE TABLE nested (t UInt64, `e.x` String)
ENGINE = Kafka
SETTINGS kafka_broker_list = 'localhost:9092', kafka_topic_list = 'nested', kafka_group_name = 'formats',
  kafka_format = 'JSONEachRow', input_format_import_nested_json = 1;

CREATE TABLE lines (a UInt64, b String, both String ALIAS concat(toString(a), ':', b))
ENGINE = Kafka
SETTINGS kafka_broker_list = 'localhost:9092', kafka_topic_list = 'lines', kafka_group_name = 'formats',
  kafka_format = 'CSV', format_csv_delimiter = '|';

CREATE TABLE found (source String, id UInt64, text String)
ENGINE = Kafka
SETTINGS kafka_broker_list = 'localhost:9092', kafka_topic_list = 'found', kafka_group_name = 'formats',
  kafka_format = 'JSONEachRow', output_format_json_escape_forward_slashes = 0;

CREATE MATERIALIZED VIEW documents_view TO found AS
SELECT 'documents' AS source, _offset AS id, json AS text FROM documents;

CREATE MATERIALIZED VIEW nested_view TO found AS
SELECT 'nested' AS source, t AS id, e.x AS text FROM nested;

CREATE MATERIALIZED VIEW lines_view TO found AS
SELECT 'lines' AS source, a AS id, both AS text FROM (SELECT a, both FROM lines WHERE a > 1);
