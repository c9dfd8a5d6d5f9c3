-- folded
-- partitions: 2
-- A GROUP BY over a GROUP BY: what users spend, by how often they bought.
CREATE TABLE orders (buyer STRING, amount DECIMAL(10, 2)) WITH (
  'connector' = 'kafka', 'topic' = 'orders', 'properties.bootstrap.servers' = 'x:1',
  'scan.startup.mode' = 'earliest-offset', 'format' = 'json'
);
CREATE TABLE spent (
  times BIGINT, buyers BIGINT, total DECIMAL(38, 2), most DECIMAL(38, 2), least DECIMAL(38, 2),
  PRIMARY KEY (times) NOT ENFORCED
) WITH (
  'connector' = 'upsert-kafka', 'topic' = 'spent', 'properties.bootstrap.servers' = 'x:1',
  'key.format' = 'json', 'value.format' = 'json'
);
INSERT INTO spent
SELECT times, COUNT(*), SUM(total), MAX(total), MIN(total)
FROM (SELECT buyer, COUNT(*) AS times, SUM(amount) AS total FROM orders GROUP BY buyer)
GROUP BY times;
