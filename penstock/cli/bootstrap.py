"""Which Kafka a command talks to: `--bootstrap`, else PENSTOCK_BOOTSTRAP, else the embedded broker.

Used by every command that needs a broker.
"""

from __future__ import annotations

import os
from typing import Annotated

import typer

BootstrapOption = Annotated[
    str | None,
    typer.Option(
        "--bootstrap",
        metavar="HOST:PORT",
        help="The Kafka brokers. [default: $PENSTOCK_BOOTSTRAP, else the running embedded broker]",
    ),
]


def resolve_bootstrap(given: str | None) -> str:
    """The `bootstrap.servers` to use; an error says how to get a broker if there is none."""
    return given or os.environ.get("PENSTOCK_BOOTSTRAP") or embedded_address()


def expect_one_of_both(given: str | None, *, embedded: bool) -> None:
    """`--bootstrap` and `--embedded` both name the brokers of a script."""
    from penstock.errors import OptionError

    if embedded and given:
        raise OptionError(
            "INVALID_ARGUMENT",
            argument="--embedded --bootstrap",
            expected="Both name the brokers of the script; give one of them.",
        )


def embedded_address() -> str:
    """The address of the embedded broker, which must be running."""
    from penstock.errors import KafkaError
    from penstock.kafka.broker import status

    running = status()
    if running is None:
        raise KafkaError("NO_BROKER")
    return running.address


def client_properties(given: str | None) -> dict[str, str]:
    """The Kafka client properties of a command."""
    return {"bootstrap.servers": resolve_bootstrap(given)}
