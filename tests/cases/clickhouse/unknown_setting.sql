-- dialect: clickhouse
-- fail: UNKNOWN_SETTING 4:5
-- says: join_use_nulls
SET join_use_nulls = 1;
