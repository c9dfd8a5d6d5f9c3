-- fail: UNSUPPORTED_TYPE 3:21
-- says: 38 digits
CREATE TABLE a (x   UInt256) ENGINE = Memory;
