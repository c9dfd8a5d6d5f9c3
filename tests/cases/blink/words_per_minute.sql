-- partitions: 1
create table src (
  messageKey VARBINARY,
  `message` VARBINARY,
  topic VARCHAR HEADER,
  `partition` INT,
  `offset` BIGINT,
  word as SPLIT_INDEX(cast(`message` as VARCHAR), '|', 0),
  ts as TO_TIMESTAMP(cast(SPLIT_INDEX(cast(`message` as VARCHAR), '|', 1) as BIGINT)),
  WATERMARK wk FOR ts AS withOffset(ts, 1000)
) with (
  type = 'kafka010',
  topic = 'words',
  bootstrap.servers = '<yourServerAddress>',
  startupMode = 'EARLIEST',
  consumer.id = 'no effect'
);
create table dst (
  messageKey VARBINARY,
  `message` VARBINARY,
  PRIMARY KEY (messageKey)
) with (
  type = 'Kafka011',
  topic = 'counts',
  bootstrap.servers = '<yourServerAddress>'
);
INSERT INTO dst
SELECT
  cast(word as VARBINARY),
  cast(CONCAT(word, '=', cast(COUNT(*) as VARCHAR)) as VARBINARY)
FROM src
GROUP BY TUMBLE(ts, INTERVAL '1' MINUTE), word;
