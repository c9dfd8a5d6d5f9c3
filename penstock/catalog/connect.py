"""A declared table → its connector: options understood, or the table bound to a file."""

from __future__ import annotations

import difflib
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from penstock.catalog.credentials import with_credentials
from penstock.catalog.warehouse import Warehouse
from penstock.connectors import CONNECTORS
from penstock.connectors.delta import LOG_FOLDER, BoundDelta
from penstock.connectors.file import BoundFile, ClickHouseFile
from penstock.connectors.kafka_legacy import modern
from penstock.errors import OptionError, PenstockError
from penstock.model.option import OptionReader, OptionValue
from penstock.sql.clickhouse.engine import ENGINES, plain_engine

if TYPE_CHECKING:
    from collections.abc import Mapping

    from penstock.connectors.base import Connector
    from penstock.model.table import Table

_BOOTSTRAP = "properties.bootstrap.servers"


@dataclass(frozen=True, slots=True)
class Overrides:
    """What the command line says over the script: brokers for all Kafka tables, files for some.

    `folders` are where Python functions are looked for before Python's own path. `credentials_file`
    has the named credentials, `credentials` are those of tables that name none. `warehouse` is the
    folder of tables at rest.
    """

    bootstrap: str | None = None
    bindings: Mapping[str, str] = field(default_factory=dict)
    folders: tuple[str, ...] = ()
    credentials_file: str | None = None
    credentials: str | None = None
    warehouse: str | None = None


def connect(table: Table, overrides: Overrides) -> Connector:
    """The table's connector; a mistake that stands nowhere has the table as its place."""
    try:
        return _understood(table, overrides)
    except PenstockError as error:
        for one in (error, *error.also):
            one.span = one.span or table.span
        raise


def _understood(table: Table, overrides: Overrides) -> Connector:
    table, notes = modern(table)
    name = table.option("connector")
    if table.name in overrides.bindings:
        return _bound(table, name, overrides.bindings[table.name])
    if name is None:
        raise OptionReader(table.name, table.options).missing("connector")
    if name not in CONNECTORS:
        raise _unknown(table, name)
    connector = CONNECTORS[name]
    if connector.HAS_BROKERS:
        table = _with_brokers(table, overrides.bootstrap)
        options = with_credentials(
            table, connector, file=overrides.credentials_file, default=overrides.credentials
        )
        table = replace(table, options=options)
    made = connector(table, _folders(table, connector, overrides))
    made.notes = (*notes, *made.notes)
    return made


def _unknown(table: Table, name: str) -> OptionError:
    """No such connector; or no such engine, where the table has one."""
    is_engine = table.option("engine") == name
    known = sorted(name for name, kind in CONNECTORS.items() if kind.IN_WITH)
    supported = [one for one in ENGINES if plain_engine(one) == one] if is_engine else known
    lowered = {one.lower(): one for one in (ENGINES if is_engine else known)}
    near = difflib.get_close_matches(name.lower(), lowered, n=1)
    return OptionError(
        "UNKNOWN_ENGINE" if is_engine else "UNKNOWN_CONNECTOR",
        span=next(o.span for o in table.options if o.key == "connector"),
        table=table.name,
        **{"engine" if is_engine else "connector": name},
        did_you_mean=f" Did you mean '{lowered[near[0]]}'?" if near else "",
        supported=", ".join(supported),
    )


def _folders(table: Table, connector: type[Connector], overrides: Overrides) -> tuple[str, ...]:
    if not connector.AT_REST:
        return (table.home, *overrides.folders) if table.home else overrides.folders
    if not overrides.warehouse or not table.folder:
        return ()
    return (Warehouse(Path(overrides.warehouse)).table_path(table.folder),)


def _bound(table: Table, name: str | None, path: str) -> Connector:
    """The file in place of the connector; its lines are the JSON of the table's dialect.

    A folder that is a Delta table takes the place of a table of Flink's.
    """
    is_delta = (Path(path) / LOG_FOLDER).is_dir()
    if name in CONNECTORS and not CONNECTORS[name].IN_WITH:
        if is_delta:
            raise OptionError(
                "INVALID_ARGUMENT",
                argument=f"--bind {table.name}={path}",
                expected="A Delta table is bound to tables of Flink's dialect only.",
            )
        return ClickHouseFile(table, path)
    return BoundDelta(table, path) if is_delta else BoundFile(table, path)


def _with_brokers(table: Table, bootstrap: str | None) -> Table:
    if bootstrap is None:
        return table
    kept = tuple(option for option in table.options if option.key != _BOOTSTRAP)
    return replace(table, options=(*kept, OptionValue(_BOOTSTRAP, bootstrap)))
