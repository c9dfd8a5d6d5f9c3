CREATE TABLE orders (
  id BIGINT,
  item STRING NOT NULL
) WITH (
  'connector' = 'kafka',
  'properties.bootstrap.servers' = 'localhost:9092',
  'topic' = 'orders',
  'scan.startup.mode' = 'earliest-offset',
  'format' = 'avro-confluent',
  'avro-confluent.url' = 'https://ann:in-the-address@registry:8081',
  'avro-confluent.ssl.truststore.location' = '/etc/trust.p12',
  'avro-confluent.ssl.truststore.password' = 'of-the-store'
);
CREATE TABLE items (
  id BIGINT,
  item STRING
) WITH (
  'connector' = 'kafka',
  'properties.bootstrap.servers' = 'localhost:9092',
  'topic' = 'items',
  'key.format' = 'avro-confluent',
  'key.fields' = 'id',
  'key.avro-confluent.url' = 'http://registry:8081',
  'key.avro-confluent.bearer-auth.token' = 'of-the-key',
  'value.format' = 'avro-confluent',
  'value.avro-confluent.url' = 'http://registry:8081',
  'value.avro-confluent.schema' = '{"type": "record", "name": "Item", "fields": [{"name": "id", "type": ["null", "long"]}, {"name": "item", "type": ["null", "string"]}]}',
  'value.avro-confluent.properties' = 'basic.auth.user.info:ann:in-the-properties,max.retries:5'
);
INSERT INTO items SELECT id, item FROM orders;
