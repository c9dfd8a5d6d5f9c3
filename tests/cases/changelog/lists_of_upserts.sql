-- folded
-- A row that is replaced goes to the end of the lists that it is in; one that goes leaves them.
CREATE TABLE marks (id INT, team STRING, mark STRING, PRIMARY KEY (id) NOT ENFORCED) WITH (
  'connector' = 'upsert-kafka', 'topic' = 'marks', 'properties.bootstrap.servers' = 'x:1',
  'key.format' = 'json', 'value.format' = 'json'
);
CREATE TABLE lists (
  team STRING, marks STRING, listed ARRAY<STRING>, oldest STRING, newest STRING,
  PRIMARY KEY (team) NOT ENFORCED
) WITH (
  'connector' = 'upsert-kafka', 'topic' = 'lists', 'properties.bootstrap.servers' = 'x:1',
  'key.format' = 'json', 'value.format' = 'json'
);
INSERT INTO lists
SELECT team, LISTAGG(mark), ARRAY_AGG(mark), FIRST_VALUE(mark), LAST_VALUE(mark) FROM marks GROUP BY team;
