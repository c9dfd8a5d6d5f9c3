-- fail: UNKNOWN_SETTING 2:1
SET 'sparkk.executor.memory' = '1g';
