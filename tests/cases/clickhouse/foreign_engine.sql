-- fail: UNKNOWN_ENGINE 3:35
-- says: RabbitMQ | --bind
CREATE TABLE a (x UInt8) ENGINE = RabbitMQ;
