"""The names known so far in a script: tables with their connectors, and views.

`Catalog` is filled statement by statement by `plan.script`; `plan.build` looks names up in it.
"""

from __future__ import annotations

import difflib
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from penstock.connectors import CONNECTORS
from penstock.connectors.file import BoundFile
from penstock.errors import OptionError, PenstockError, PlanError
from penstock.model.option import OptionReader, OptionValue

if TYPE_CHECKING:
    from collections.abc import Mapping

    from penstock.connectors.base import Connector
    from penstock.model.span import Span
    from penstock.model.table import Table
    from penstock.sql.statements import CreateTable, CreateView, Drop

_BOOTSTRAP = "properties.bootstrap.servers"


@dataclass(frozen=True, slots=True)
class Overrides:
    """What the command line says over the script: brokers for all Kafka tables, files for some."""

    bootstrap: str | None = None
    bindings: Mapping[str, str] = field(default_factory=dict)


class Catalog:
    """Tables and views by name."""

    def __init__(self, overrides: Overrides) -> None:
        self._overrides = overrides
        self._tables: dict[str, Connector] = {}
        self._views: dict[str, CreateView] = {}

    @property
    def tables(self) -> tuple[Connector, ...]:
        """Every table, in the order of the script."""
        return tuple(self._tables.values())

    @property
    def names(self) -> tuple[str, ...]:
        """Names of tables and views."""
        return (*self._tables, *self._views)

    def create_table(self, statement: CreateTable) -> None:
        """Understand a table's options and remember it."""
        if self._taken(statement.table.name, statement.table.span, statement.if_not_exists):
            return
        self._tables[statement.table.name] = self._connect(statement.table)

    def create_view(self, statement: CreateView) -> None:
        """Remember a view; its query is planned where it is used."""
        if not self._taken(statement.name, statement.span, statement.if_not_exists):
            self._views[statement.name] = statement

    def drop(self, statement: Drop) -> None:
        """Forget a table or view."""
        if statement.name not in self.names and not statement.if_exists:
            self.table(statement.name, statement.span)
        self._tables.pop(statement.name, None)
        self._views.pop(statement.name, None)

    def view(self, name: str) -> CreateView | None:
        """A view by name."""
        return self._views.get(name)

    def table(self, name: str, span: Span | None) -> Connector:
        """A table by name."""
        if name in self._tables:
            return self._tables[name]
        if name in self._views:
            raise PlanError("NOT_A_SINK", span=span, table=name, connector="view")
        near = difflib.get_close_matches(name, self.names, n=1)
        raise PlanError(
            "UNKNOWN_TABLE",
            span=span,
            table=name,
            did_you_mean=f" Did you mean `{near[0]}`?" if near else "",
            known=", ".join(self.names) or "none",
        )

    def check_bindings(self) -> None:
        """Refuse a `--bind` of a table that the script never created."""
        for name in self._overrides.bindings:
            if name not in self._tables:
                raise OptionError("UNKNOWN_BINDING", table=name, tables=", ".join(self._tables))

    def _taken(self, name: str, span: Span | None, if_not_exists: bool) -> bool:
        if name not in self.names:
            return False
        if if_not_exists:
            return True
        raise PlanError("TABLE_EXISTS", span=span, table=name)

    def _connect(self, table: Table) -> Connector:
        try:
            return self._understood(table)
        except PenstockError as error:
            # What is missing or contradictory stands nowhere: the table is the place.
            error.span = error.span or table.span
            raise

    def _understood(self, table: Table) -> Connector:
        if table.name in self._overrides.bindings:
            return BoundFile(table, self._overrides.bindings[table.name])
        name = table.option("connector")
        if name is None:
            raise OptionReader(table.name, table.options).missing("connector")
        if name not in CONNECTORS:
            near = difflib.get_close_matches(name, CONNECTORS, n=1)
            raise OptionError(
                "UNKNOWN_CONNECTOR",
                span=next(o.span for o in table.options if o.key == "connector"),
                table=table.name,
                connector=name,
                did_you_mean=f" Did you mean '{near[0]}'?" if near else "",
                supported=", ".join(sorted(CONNECTORS)),
            )
        return CONNECTORS[name](self._with_brokers(table))

    def _with_brokers(self, table: Table) -> Table:
        bootstrap = self._overrides.bootstrap
        if bootstrap is None:
            return table
        kept = tuple(option for option in table.options if option.key != _BOOTSTRAP)
        return replace(table, options=(*kept, OptionValue(_BOOTSTRAP, bootstrap)))
