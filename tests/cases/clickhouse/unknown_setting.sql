-- dialect: clickhouse
-- fail: UNKNOWN_SETTING 4:5
-- says: Did you mean 'max_threads'
SET max_thread = 1;
