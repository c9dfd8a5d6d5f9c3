-- folded
-- Lists, first and last values and variances of what a database tells, as Flink 2.2.1 gives them: a
-- row that is updated goes to the end of a list, one that is deleted leaves it.
CREATE TABLE changes (id INT, k STRING, amt INT, price DECIMAL(10, 2), note STRING) WITH (
  'connector' = 'kafka', 'topic' = 'changes', 'properties.bootstrap.servers' = 'x:1',
  'scan.startup.mode' = 'earliest-offset', 'format' = 'debezium-json'
);
CREATE TABLE lists (
  k STRING, first_note STRING, last_note STRING, first_amt INT, last_amt INT, notes STRING,
  kinds STRING, large STRING, amts ARRAY<INT>, written STRING, PRIMARY KEY (k) NOT ENFORCED
) WITH (
  'connector' = 'upsert-kafka', 'topic' = 'lists', 'properties.bootstrap.servers' = 'x:1',
  'key.format' = 'json', 'value.format' = 'json'
);
CREATE TABLE spreads (
  k STRING, pop INT, samp INT, dev INT, prices DECIMAL(38, 6), price_dev DECIMAL(38, 6),
  PRIMARY KEY (k) NOT ENFORCED
) WITH (
  'connector' = 'upsert-kafka', 'topic' = 'spreads', 'properties.bootstrap.servers' = 'x:1',
  'key.format' = 'json', 'value.format' = 'json'
);
INSERT INTO lists
SELECT COALESCE(k, '-'), FIRST_VALUE(note), LAST_VALUE(note), FIRST_VALUE(amt), LAST_VALUE(amt),
  LISTAGG(note), LISTAGG(DISTINCT note), LISTAGG(CAST(amt AS STRING), '+') FILTER (WHERE amt > 1),
  ARRAY_AGG(amt), JSON_ARRAYAGG(amt NULL ON NULL)
FROM changes GROUP BY COALESCE(k, '-');
INSERT INTO spreads
SELECT COALESCE(k, '-'), VAR_POP(amt), VAR_SAMP(amt), STDDEV_SAMP(amt), VAR_POP(price),
  STDDEV_SAMP(price)
FROM changes WHERE amt < 1000 GROUP BY COALESCE(k, '-');
