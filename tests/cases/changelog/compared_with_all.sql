-- folded
-- Comparisons with ANY and ALL rows of a query, over tables that change; a NULL leaves them open.
CREATE TABLE offers (id INT, shop STRING, price INT, PRIMARY KEY (id) NOT ENFORCED) WITH (
  'connector' = 'upsert-kafka', 'topic' = 'offers', 'properties.bootstrap.servers' = 'x:1',
  'key.format' = 'json', 'value.format' = 'json'
);
CREATE TABLE caps (name STRING, shop STRING, cap INT, PRIMARY KEY (name) NOT ENFORCED) WITH (
  'connector' = 'upsert-kafka', 'topic' = 'caps', 'properties.bootstrap.servers' = 'x:1',
  'key.format' = 'json', 'value.format' = 'json'
);
CREATE TABLE cheap (id INT, price INT, PRIMARY KEY (id) NOT ENFORCED) WITH (
  'connector' = 'upsert-kafka', 'topic' = 'cheap', 'properties.bootstrap.servers' = 'x:1',
  'key.format' = 'json', 'value.format' = 'json'
);
CREATE TABLE dear (id INT, price INT, PRIMARY KEY (id) NOT ENFORCED) WITH (
  'connector' = 'upsert-kafka', 'topic' = 'dear', 'properties.bootstrap.servers' = 'x:1',
  'key.format' = 'json', 'value.format' = 'json'
);
CREATE TABLE answers (id INT, above BOOLEAN, same BOOLEAN, PRIMARY KEY (id) NOT ENFORCED) WITH (
  'connector' = 'upsert-kafka', 'topic' = 'answers', 'properties.bootstrap.servers' = 'x:1',
  'key.format' = 'json', 'value.format' = 'json'
);
INSERT INTO cheap
SELECT id, price FROM offers WHERE price < ALL (SELECT cap FROM caps WHERE cap IS NOT NULL);
INSERT INTO dear
SELECT id, price FROM offers o WHERE NOT (price <= SOME (SELECT cap FROM caps c WHERE c.shop = o.shop));
INSERT INTO answers
SELECT id, price > ANY (SELECT cap FROM caps), price = ALL (SELECT cap FROM caps) FROM offers;
