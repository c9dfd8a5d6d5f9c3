-- dialect: clickhouse
-- fail: UNSUPPORTED_SETTING 5:5
-- says: toNullable
SET join_use_nulls = 0;
SET join_use_nulls = 1;
