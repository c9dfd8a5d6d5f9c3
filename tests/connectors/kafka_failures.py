"""Options about messages that cannot be read which break a rule, and what is said of each."""

from __future__ import annotations

from tests.connectors.kafka_broken import CONFLICT, REFUSED, Broken

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
    "18 handler": Broken(
        "INVALID_OPTION_VALUE", "'none', 'log', 'kafka'", HANDLER, {HANDLER: "skip"}
    ),
}
