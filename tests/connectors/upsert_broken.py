"""Options of `upsert-kafka` tables that break a rule, and what is said of each."""

from __future__ import annotations

from tests.connectors.kafka_broken import CONFLICT, REFUSED, TOO_LONG, Broken

NO_KEY = "id BIGINT, name STRING"
PREFIXED = {"key.fields-prefix": "k_", "value.fields-include": "EXCEPT_KEY"}
BOTH_LIMITS = (
    "'sink.buffer-flush.max-rows' and 'sink.buffer-flush.interval' must be set to be greater than "
    "zero together to enable sink buffer flushing."
)
RULES = {
    "3 both": Broken(
        CONFLICT,
        "Option 'topic' and 'topic-pattern' shouldn't be set together.",
        "topic-pattern",
        {"topic-pattern": "t.*"},
    ),
    "3 neither": Broken(
        CONFLICT, "Either 'topic' or 'topic-pattern' must be set.", "", {"topic": None}
    ),
    **{
        f"1 {key}": Broken("MISSING_OPTION", f"'{key}'", "", {key: None})
        for key in ("properties.bootstrap.servers", "key.format")
    },
    "1 value.format": Broken("MISSING_OPTION", "'value.format'", "", {"value.format": None}),
    **{
        f"2 {key}": Broken("UNKNOWN_OPTION", f"the unknown option '{key}'", key, {key: value})
        for key, value in {
            "scan.startup.mode": "latest-offset",
            "scan.startup.timestamp-millis": "1",
            "scan.startup.specific-offsets": "partition:0,offset:1",
            "format": "json",
            "key.fields": "id",
            "sink.partitioner": "fixed",
            "sink.semantic": "exactly-once",
        }.items()
    },
    "5 offsets": Broken(
        CONFLICT,
        "'scan.bounded.specific-offsets' is required in 'specific-offsets' bounded mode but "
        "missing.",
        "scan.bounded.mode",
        {"scan.bounded.mode": "specific-offsets"},
    ),
    "5 time": Broken(
        CONFLICT,
        "'scan.bounded.timestamp-millis' is required in 'timestamp' bounded mode but missing.",
        "scan.bounded.mode",
        {"scan.bounded.mode": "timestamp"},
    ),
    **{
        f"9 {part}": Broken(
            CONFLICT,
            f"'upsert-kafka' connector doesn't support 'debezium-json' as {part} format, because "
            "'debezium-json' is not in insert-only mode.",
            f"{part}.format",
            {f"{part}.format": "debezium-json"},
        )
        for part in ("key", "value")
    },
    "8 no primary key": Broken(
        CONFLICT,
        "'upsert-kafka' tables require to define a PRIMARY KEY constraint. The PRIMARY KEY "
        "specifies which columns should be read from or write to the Kafka message key. The "
        "PRIMARY KEY also defines records in the 'upsert-kafka' table should update or delete on "
        "which keys.",
        "",
        columns=NO_KEY,
    ),
    "11 interval alone": Broken(
        CONFLICT,
        BOTH_LIMITS,
        "sink.buffer-flush.interval",
        {"sink.buffer-flush.max-rows": "0", "sink.buffer-flush.interval": "1 s"},
    ),
    "11 rows alone": Broken(
        CONFLICT, BOTH_LIMITS, "sink.buffer-flush.max-rows", {"sink.buffer-flush.max-rows": "100"}
    ),
    "7 no prefix": Broken(
        CONFLICT,
        "sink.transactional-id-prefix must be specified when using DeliveryGuarantee.EXACTLY_ONCE.",
        "sink.delivery-guarantee",
        {"sink.delivery-guarantee": "exactly-once"},
    ),
    "7 too long": Broken(
        REFUSED,
        "The configured prefix is too long",
        "sink.transactional-id-prefix",
        {"sink.transactional-id-prefix": TOO_LONG},
    ),
    "10 prefix with ALL": Broken(
        CONFLICT,
        "A key prefix is not allowed when option 'value.fields-include' is set to 'ALL'.",
        "key.fields-prefix",
        {"key.fields-prefix": "i"},
    ),
    "10 not prefixed": Broken(
        CONFLICT,
        "All fields in 'key.fields' must be prefixed with 'k_' when option 'key.fields-prefix' is "
        "set but field 'id' is not prefixed.",
        "",
        {**PREFIXED},
    ),
    "16 alignment": Broken(
        CONFLICT,
        "Error configuring watermark for 'upsert-kafka', 'scan.watermark.alignment.group'",
        "scan.watermark.alignment.group",
        {"scan.watermark.alignment.group": "g"},
    ),
    "17 parallelism": Broken(
        REFUSED,
        "Invalid configured parallelism 0 for table 't'.",
        "sink.parallelism",
        {"sink.parallelism": "0"},
    ),
    "raw key of two columns": Broken(
        "SEVERAL_RAW_COLUMNS",
        "The 'raw' format only supports single physical column.",
        "",
        {"key.format": "raw"},
        columns="id BIGINT, name STRING, PRIMARY KEY (id, name) NOT ENFORCED",
    ),
}

WITH_COLUMNS = ("8 no primary key", "raw key of two columns")
