"""ClickHouse's SQL: text → statements, with its types and its DDL."""
