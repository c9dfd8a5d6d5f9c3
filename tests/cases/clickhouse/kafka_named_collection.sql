-- fail: NAMED_COLLECTION 3:41
-- says: my_kafka
CREATE TABLE a (x UInt8) ENGINE = Kafka(my_kafka);
