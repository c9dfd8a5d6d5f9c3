"""Options of Kafka tables that break a rule, and what is said of each."""

from __future__ import annotations

from dataclasses import dataclass, field

from tests.connectors.kafka_scripts import COLUMNS, CREATED, READ, WRITTEN

CONFLICT, REFUSED = "CONFLICTING_OPTIONS", "REFUSED_OPTION"
SPECIFIC = "should follow the format 'partition:0,offset:42;partition:1,offset:300', but is"
KEY = {"key.format": "json", "key.fields": "id"}
TOO_LONG = "x" * 64_001


@dataclass
class Broken:
    """Options that break a rule: the code and words of the error, the option it points at."""

    code: str
    text: str
    at: str
    options: dict[str, str | None] = field(default_factory=dict)
    use: str = CREATED
    columns: str = COLUMNS


RULES = {
    "1 brokers": Broken("MISSING_OPTION", "servers", "", {"properties.bootstrap.servers": None}),
    "1 format": Broken("MISSING_OPTION", "'format'", "", {"format": None}),
    "2 unknown": Broken("UNKNOWN_OPTION", "'sink.color'", "sink.color", {"sink.color": "x"}),
    "2 enum": Broken(
        "INVALID_OPTION_VALUE",
        "'exactly-once', 'at-least-once', 'none'",
        "sink.delivery-guarantee",
        {"sink.delivery-guarantee": "EXACTLY_ONCE"},
    ),
    "2 brokers": Broken(
        "INVALID_OPTION_VALUE",
        "brokers as host:port",
        "properties.bootstrap.servers",
        {"properties.bootstrap.servers": "a:9092,b"},
    ),
    "2 topic name": Broken(REFUSED, "'a b', which is no name", "topic", {"topic": "x;a b"}),
    "2 duration": Broken(
        "INVALID_OPTION_VALUE",
        "a duration",
        "scan.topic-partition-discovery.interval",
        {"scan.topic-partition-discovery.interval": "soon"},
    ),
    "2 number": Broken(
        "INVALID_OPTION_VALUE",
        "a whole number",
        "scan.startup.timestamp-millis",
        {"scan.startup.timestamp-millis": "1_000"},
    ),
    "2 list": Broken("INVALID_OPTION_VALUE", "quotes", "topic", {"topic": "'a;b"}),
    "2 pattern": Broken(
        "INVALID_OPTION_VALUE",
        "a regular expression",
        "topic-pattern",
        {"topic": None, "topic-pattern": "a("},
    ),
    "3 both": Broken(
        CONFLICT,
        "Option 'topic' and 'topic-pattern' shouldn't be set together.",
        "topic-pattern",
        {"topic-pattern": "a.*"},
    ),
    "3 neither": Broken(
        CONFLICT, "Either 'topic' or 'topic-pattern' must be set.", "", {"topic": None}
    ),
    "3 empty": Broken(REFUSED, "Option 'topic' has an empty name.", "topic", {"topic": "a;;b"}),
    **{
        f"{rule} {end} {mode}": Broken(
            CONFLICT,
            f"'{needed}' is required in '{mode}' {end} mode but missing.",
            f"scan.{end}.mode",
            {f"scan.{end}.mode": mode},
        )
        for rule, end in (("4", "startup"), ("5", "bounded"))
        for mode, needed in (
            ("timestamp", f"scan.{end}.timestamp-millis"),
            ("specific-offsets", f"scan.{end}.specific-offsets"),
        )
    },
    **{
        f"{rule} topics {number}": Broken(
            CONFLICT,
            "Currently Kafka source only supports specific offset for single topic.",
            f"scan.{end}.specific-offsets",
            {
                f"scan.{end}.mode": "specific-offsets",
                f"scan.{end}.specific-offsets": "partition:0,offset:1",
                **topics,
            },
        )
        for rule, end in (("4", "startup"), ("5", "bounded"))
        for number, topics in enumerate(({"topic": "a;b"}, {"topic": None, "topic-pattern": "a.*"}))
    },
    **{
        f"{rule} malformed {text}": Broken(
            REFUSED,
            f"Invalid properties 'scan.{end}.specific-offsets' {SPECIFIC} '{text}'.",
            f"scan.{end}.specific-offsets",
            {f"scan.{end}.mode": "specific-offsets", f"scan.{end}.specific-offsets": text},
        )
        for rule, end in (("4", "startup"), ("5", "bounded"))
        for text in ("partition:0", "partition:0, offset:1", "offset:1,partition:0", "0:1", ";")
    },
    "6 round-robin": Broken(
        CONFLICT,
        "Currently 'round-robin' partitioner only works when option 'key.fields' is not specified.",
        "sink.partitioner",
        {"sink.partitioner": "round-robin", **KEY},
    ),
    "6 empty": Broken(
        REFUSED,
        "Option 'sink.partitioner' should be a non-empty string.",
        "sink.partitioner",
        {"sink.partitioner": ""},
    ),
    "6 unknown": Broken(
        REFUSED,
        "Could not find and instantiate partitioner class 'abc'",
        "sink.partitioner",
        {"sink.partitioner": "abc"},
        WRITTEN,
    ),
    "7 no prefix": Broken(
        CONFLICT,
        "sink.transactional-id-prefix must be specified when using DeliveryGuarantee.EXACTLY_ONCE.",
        "sink.delivery-guarantee",
        {"sink.delivery-guarantee": "Exactly-Once"},
    ),
    "7 by its older name": Broken(
        CONFLICT,
        "EXACTLY_ONCE delivery guarantee requires a transactionalIdPrefix to be set",
        "sink.semantic",
        {"sink.semantic": "EXACTLY_ONCE"},
    ),
    "7 too long": Broken(
        REFUSED,
        "The configured prefix is too long and the resulting transactionalIdPrefix might exceed "
        "Kafka's transactionalIdPrefix size.",
        "sink.transactional-id-prefix",
        {"sink.transactional-id-prefix": TOO_LONG},
    ),
    "8 primary key": Broken(
        CONFLICT,
        "The Kafka table 't' with 'json' format doesn't support defining PRIMARY KEY constraint on "
        "the table, because it can't guarantee the semantic of primary key.",
        "",
        columns="id BIGINT, name STRING, PRIMARY KEY (id) NOT ENFORCED",
    ),
    "9 key format": Broken(
        CONFLICT,
        "A key format should only deal with INSERT-only records. But changing has a changelog mode",
        "key.format",
        {"key.format": "changing", "key.fields": "id"},
    ),
    "10 no key format": Broken(
        CONFLICT,
        "The option 'key.fields' can only be declared if a key format is defined using "
        "'key.format'.",
        "key.fields",
        {"key.fields": "id"},
    ),
    "10 no key fields": Broken(
        CONFLICT,
        "A key format 'key.format' requires the declaration of one or more of key fields using "
        "'key.fields'.",
        "key.format",
        {"key.format": "json"},
    ),
    "10 unknown field": Broken(
        CONFLICT,
        "Could not find the field 'nmae' in the table schema for usage in the key format. A key "
        "field must be a regular, physical column. The following columns can be selected in the "
        "'key.fields' option: [id, name].",
        "key.fields",
        {"key.format": "json", "key.fields": "nmae"},
        columns="id BIGINT, name STRING, nmae AS id, o BIGINT METADATA FROM 'offset' VIRTUAL",
    ),
    "10 not prefixed": Broken(
        CONFLICT,
        "All fields in 'key.fields' must be prefixed with 'k_' when option 'key.fields-prefix' is "
        "set but field 'id' is not prefixed.",
        "key.fields",
        {**KEY, "key.fields-prefix": "k_", "value.fields-include": "EXCEPT_KEY"},
    ),
    "10 prefix with ALL": Broken(
        CONFLICT,
        "A key prefix is not allowed when option 'value.fields-include' is set to 'ALL'. Set it to "
        "'EXCEPT_KEY' instead to avoid field overlaps.",
        "key.fields-prefix",
        {**KEY, "key.fields-prefix": "i"},
    ),
    **{
        f"13 reset in {mode}": Broken(
            REFUSED,
            "auto.offset.reset can not be set to abc. Valid values: [latest,earliest,none]",
            "properties.auto.offset.reset",
            {
                "properties.auto.offset.reset": "abc",
                "scan.startup.mode": mode,
                "scan.startup.timestamp-millis": "1",
                "scan.startup.specific-offsets": "partition:0,offset:1",
            },
        )
        for mode in (
            *("earliest-offset", "latest-offset", "group-offsets"),
            *("timestamp", "specific-offsets"),
        )
    },
    **{
        f"14 {at} {number}": Broken(
            CONFLICT,
            "Property group.id is required when using committed offset for offsets initializer",
            at,
            options,
            READ,
        )
        for number, (at, options) in enumerate(
            (
                ("", {"scan.startup.mode": None}),
                ("scan.bounded.mode", {"scan.bounded.mode": "group-offsets"}),
                (
                    "scan.startup.specific-offsets",
                    {
                        "scan.startup.mode": "specific-offsets",
                        "scan.startup.specific-offsets": "partition:0,offset:-3",
                    },
                ),
            )
        )
    },
    "14 commits": Broken(
        CONFLICT,
        "Property group.id is required when offset commit is enabled",
        "properties.enable.auto.commit",
        {"properties.enable.auto.commit": "true"},
        READ,
    ),
    **{
        f"15 {name}": Broken(
            REFUSED,
            f"Deserializer class {name} {problem}",
            "properties.value.deserializer",
            {"properties.value.deserializer": name},
            READ,
        )
        for name, problem in (
            ("org.apache.kafka.common.serialization.StringDeserializer", "does not deserialize"),
            ("org.apache.kafka.common.serialization.Serde", "is not a subclass of"),
            ("com.example.Mine", "not found"),
        )
    },
    "16 alignment": Broken(
        CONFLICT,
        "Error configuring watermark for 'kafka', 'scan.watermark.alignment.group' and "
        "'scan.watermark.alignment.max-drift' must be set when configuring watermark alignment",
        "scan.watermark.alignment.update-interval",
        {"scan.watermark.alignment.update-interval": "1 s"},
    ),
    **{
        f"17 {key} {tasks}": Broken(
            REFUSED,
            f"Invalid configured parallelism {tasks} for table 't'.",
            key,
            {key: str(tasks)},
        )
        for key in ("scan.parallelism", "sink.parallelism")
        for tasks in (0, -1, 2**31)
    },
}

TRANSACTIONAL = {
    "acks": ("1", "Must set acks to all"),
    "enable.idempotence": ("false", "without also enabling idempotence"),
    "retries": ("0", "Must set retries to non-zero"),
    "max.in.flight.requests.per.connection": ("6", "at most 5"),
    "transaction.timeout.ms": ("-5", "greater than zero"),
}
RULES |= {
    f"exactly-once {name}": Broken(
        CONFLICT,
        text,
        f"properties.{name}",
        {
            "sink.delivery-guarantee": "exactly-once",
            "sink.transactional-id-prefix": "t",
            f"properties.{name}": value,
        },
    )
    for name, (value, text) in TRANSACTIONAL.items()
}
