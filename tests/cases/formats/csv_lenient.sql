CREATE TABLE lines (
  name STRING,
  amount DECIMAL(10, 3)
) WITH (
  'connector' = 'kafka',
  'properties.bootstrap.servers' = 'localhost:9092',
  'topic' = 'lines',
  'scan.startup.mode' = 'earliest-offset',
  'format' = 'csv',
  'csv.trim-spaces' = 'true',
  'csv.empty-string-as-null' = 'true',
  'csv.ignore-trailing-unmappable' = 'true',
  'csv.ignore-parse-errors' = 'true',
  'csv.fail-on-missing-columns' = 'true'
);
CREATE TABLE amounts (
  name STRING,
  amount DECIMAL(10, 3)
) WITH (
  'connector' = 'kafka',
  'properties.bootstrap.servers' = 'localhost:9092',
  'topic' = 'amounts',
  'format' = 'csv',
  'csv.null-literal' = '-',
  'csv.write-bigdecimal-in-scientific-notation' = 'true'
);
INSERT INTO amounts SELECT name, amount FROM lines;
