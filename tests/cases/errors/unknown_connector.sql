-- fail: UNKNOWN_CONNECTOR 4:3
-- says: Did you mean 'kafka' | --bind source=FILE
CREATE TABLE source (id BIGINT) WITH (
  'connector' = 'kafkaa'
);
