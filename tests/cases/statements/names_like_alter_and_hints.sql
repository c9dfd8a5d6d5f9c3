-- partitions: 1
CREATE DATABASE IF NOT EXISTS shop;
CREATE TABLE shop.orders (
  id BIGINT,
  item STRING,
  big AS id > 1
) WITH (
  'connector' = 'kafka',
  'topic' = 'orders',
  'properties.bootstrap.servers' = 'localhost:9092',
  'scan.startup.mode' = 'latest-offset',
  'format' = 'json'
);
CREATE TABLE sold LIKE shop.orders (EXCLUDING GENERATED);
ALTER TABLE sold SET ('topic' = 'sold');
ALTER TABLE sold RENAME item TO thing;
ALTER TABLE sold ADD (shout STRING AFTER id);
USE shop;
CREATE VIEW big_ones AS
SELECT id, item FROM orders /*+ OPTIONS('scan.startup.mode' = 'earliest-offset') */ WHERE big;
USE default_database;
EXECUTE STATEMENT SET
BEGIN
INSERT INTO sold (id, thing) SELECT id, item FROM shop.big_ones;
INSERT INTO sold /*+ OPTIONS('topic' = 'copies') */ (id) SELECT id FROM shop.big_ones;
END;
CREATE TABLE upper_case WITH (
  'connector' = 'kafka',
  'topic' = 'upper_case',
  'properties.bootstrap.servers' = 'localhost:9092',
  'format' = 'json'
) AS SELECT id, UPPER(item) AS item FROM default_catalog.shop.big_ones;
