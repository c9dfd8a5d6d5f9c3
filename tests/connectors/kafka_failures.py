"""Options about messages that cannot be read which break a rule, and what is said of each."""

from __future__ import annotations

from tests.connectors.kafka_broken import CONFLICT, REFUSED, Broken
from tests.connectors.kafka_scripts import WRITTEN

HANDLER, LETTERS = "scan.deser.failure-handler", "scan.deser.failure-topic"
FAILURES = {
    "18 no topic": Broken(
        CONFLICT,
        "'scan.deser.failure-topic' is required with 'scan.deser.failure-handler' = 'kafka' but",
        HANDLER,
        {HANDLER: "kafka"},
    ),
    **{
        f"18 topic with {handler}": Broken(
            CONFLICT,
            "is used with 'scan.deser.failure-handler' = 'kafka' only.",
            LETTERS,
            {**({HANDLER: handler} if handler else {}), LETTERS: "dead"},
        )
        for handler in ("", "none", "log")
    },
    **{
        f"18 read by {key}": Broken(
            CONFLICT,
            f"'{LETTERS}' is 'dead.letters', which the table reads.",
            LETTERS,
            {"topic": None, key: value, HANDLER: "kafka", LETTERS: "dead.letters"},
        )
        for key, value in (("topic", "a;dead.letters"), ("topic-pattern", "dead.*"))
    },
    "18 topic name": Broken(
        REFUSED, "'a b', which is no name", LETTERS, {HANDLER: "kafka", LETTERS: "a b"}
    ),
    "19 contradiction": Broken(
        CONFLICT,
        "Set 'value.json.fail-on-missing-field' or 'value.json.ignore-parse-errors' to false.",
        "",
        {
            "format": None,
            "value.format": "json",
            "value.json.fail-on-missing-field": "true",
            "value.json.ignore-parse-errors": "true",
        },
    ),
    "19 quotes": Broken(
        CONFLICT,
        "Remove 'key.csv.quote-character' or 'key.csv.disable-quote-character'.",
        "",
        {
            "key.format": "csv",
            "key.fields": "id",
            "key.csv.quote-character": "|",
            "key.csv.disable-quote-character": "true",
        },
    ),
    "19 upsert without a key": Broken(
        CONFLICT,
        "Option 'value.ogg-json.missing-before' = 'upsert' requires",
        "value.ogg-json.missing-before",
        {
            "format": None,
            "value.format": "ogg-json",
            "value.ogg-json.missing-before": "upsert",
        },
    ),
    "19 written schema": Broken(
        REFUSED,
        "Debezium JSON serialization doesn't support",
        "value.debezium-json.schema-include",
        {
            "format": None,
            "value.format": "debezium-json",
            "value.debezium-json.schema-include": "true",
        },
        WRITTEN,
    ),
    "18 handler": Broken(
        "INVALID_OPTION_VALUE", "'none', 'log', 'kafka'", HANDLER, {HANDLER: "skip"}
    ),
}
