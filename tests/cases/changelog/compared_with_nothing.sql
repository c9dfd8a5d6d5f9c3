-- folded
-- What a query without rows says: ALL holds, ANY does not, nothing is in it; also once it has lost its rows.
CREATE TABLE offers (id INT, price INT, PRIMARY KEY (id) NOT ENFORCED) WITH (
  'connector' = 'upsert-kafka', 'topic' = 'offers', 'properties.bootstrap.servers' = 'x:1',
  'key.format' = 'json', 'value.format' = 'json'
);
CREATE TABLE caps (name STRING, cap INT, PRIMARY KEY (name) NOT ENFORCED) WITH (
  'connector' = 'upsert-kafka', 'topic' = 'caps', 'properties.bootstrap.servers' = 'x:1',
  'key.format' = 'json', 'value.format' = 'json'
);
CREATE TABLE cheap (id INT, price INT, PRIMARY KEY (id) NOT ENFORCED) WITH (
  'connector' = 'upsert-kafka', 'topic' = 'cheap', 'properties.bootstrap.servers' = 'x:1',
  'key.format' = 'json', 'value.format' = 'json'
);
CREATE TABLE uncapped (id INT, price INT, PRIMARY KEY (id) NOT ENFORCED) WITH (
  'connector' = 'upsert-kafka', 'topic' = 'uncapped', 'properties.bootstrap.servers' = 'x:1',
  'key.format' = 'json', 'value.format' = 'json'
);
CREATE TABLE answers (
  id INT, above BOOLEAN, below BOOLEAN, other BOOLEAN, PRIMARY KEY (id) NOT ENFORCED
) WITH (
  'connector' = 'upsert-kafka', 'topic' = 'answers', 'properties.bootstrap.servers' = 'x:1',
  'key.format' = 'json', 'value.format' = 'json'
);
INSERT INTO cheap SELECT id, price FROM offers WHERE price < ALL (SELECT cap FROM caps WHERE cap > 100);
INSERT INTO uncapped
SELECT id, price FROM offers WHERE price > 100 OR NOT EXISTS (SELECT * FROM caps);
INSERT INTO answers
SELECT id, price > ANY (SELECT cap FROM caps), price < ALL (SELECT cap FROM caps),
  price NOT IN (SELECT cap FROM caps)
FROM offers;
