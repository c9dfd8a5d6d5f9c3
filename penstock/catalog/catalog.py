"""The names known so far in a script: tables with their connectors, and views.

`Catalog` is filled statement by statement by `plan.statements`; the planner looks names up in it.
"""

from __future__ import annotations

import difflib
from dataclasses import replace
from typing import TYPE_CHECKING

from sqlglot import exp

from penstock.catalog.checks import check_table
from penstock.catalog.connect import Overrides, connect
from penstock.catalog.paths import Namespace, Path
from penstock.catalog.qualify import qualify
from penstock.errors import OptionError, PlanError
from penstock.sql.hints import give_option
from penstock.sql.statements import CreateView

if TYPE_CHECKING:
    from penstock.catalog.functions import UserFunction
    from penstock.connectors.base import Connector
    from penstock.model.option import OptionValue
    from penstock.model.span import Span
    from penstock.model.table import Table
    from penstock.sql.statements import Drop

__all__ = ["Catalog", "Overrides"]


class Catalog:
    """Tables and views by name; temporary ones hide permanent ones of the same name."""

    def __init__(self, overrides: Overrides) -> None:
        self.namespace = Namespace()
        self.dynamic_options = True
        self.credentials: str | None = None
        bound = {Namespace().path(name).shown: file for name, file in overrides.bindings.items()}
        self._overrides = replace(overrides, bindings=bound)
        self._permanent: dict[Path, Connector | CreateView] = {}
        self._temporary: dict[Path, Connector | CreateView] = {}
        self._broken: set[Path] = set()
        self._bound: set[str] = set()
        self.functions: dict[str, UserFunction] = {}
        # Names of tables and views that are as if they were not there, until they are attached.
        self.detached: set[str] = set()
        # What a warehouse has and cannot be understood any more: its name, and why.
        self.unusable: dict[str, str] = {}
        # Materialized views that fill tables of other names, as queries of these.
        self.filled: dict[str, CreateView] = {}
        # What can be read under a name, but was not created.
        self.virtual: dict[Path, Connector | CreateView] = {}
        self.folders = overrides.folders

    @property
    def tables(self) -> tuple[Connector, ...]:
        """Every table, in the order of the script."""
        entries = (*self._permanent.values(), *self._temporary.values())
        return tuple(entry for entry in entries if not isinstance(entry, CreateView))

    @property
    def _told(self) -> Overrides:
        return replace(self._overrides, credentials=self.credentials)

    @property
    def names(self) -> tuple[str, ...]:
        """Names of tables and views."""
        return tuple(path.shown for path in self.entries)

    @property
    def entries(self) -> dict[Path, Connector | CreateView]:
        """Every table and view by its place."""
        return {**self._permanent, **self._temporary}

    def path(self, name: str, span: Span | None = None) -> Path:
        """What a name means at this point of the script."""
        return self.namespace.path(name, span)

    def create_table(
        self, table: Table, *, if_not_exists: bool = False, temporary: bool = False
    ) -> Connector | None:
        """Understand a table's options and remember it; None if it is there and may be."""
        path = self.path(table.name, table.span)
        if self._taken(path, table.span, if_not_exists=if_not_exists, temporary=temporary):
            return None
        self._broken.add(path)
        table = check_table(replace(table, name=path.shown))
        connector = connect(table, self._told)
        self._bound.add(path.shown)
        self._home(temporary=temporary)[path] = connector
        self._broken.discard(path)
        return connector

    def create_view(self, statement: CreateView) -> None:
        """Remember a view; its query is planned where it is used."""
        path = self.path(statement.name, statement.span)
        temporary = statement.temporary
        if self._taken(
            path, statement.span, if_not_exists=statement.if_not_exists, temporary=temporary
        ):
            return
        query = qualify(statement.query, self.namespace)
        self._home(temporary=temporary)[path] = replace(statement, name=path.shown, query=query)

    def replace_table(self, name: str, table: Table, span: Span | None) -> Connector:
        """Another declaration of a table that exists."""
        path = self.path(name, span)
        connector = connect(check_table(table), self._told)
        self._home(temporary=path in self._temporary)[path] = connector
        return connector

    def replace_view(self, name: str, query: CreateView, span: Span | None) -> None:
        """Another query of a view that exists."""
        path = self.path(name, span)
        changed = replace(query, query=qualify(query.query, self.namespace))
        self._home(temporary=path in self._temporary)[path] = changed

    def rename(self, name: str, new: str, span: Span | None) -> None:
        """Give a table or view another name."""
        path, target = self.path(name, span), self.path(new, span)
        home = self._home(temporary=path in self._temporary)
        self._taken(target, span, if_not_exists=False, temporary=home is self._temporary)
        entry = home.pop(path)
        if isinstance(entry, CreateView):
            home[target] = replace(entry, name=target.shown)
        else:
            self._bound.add(target.shown)
            home[target] = connect(replace(entry.table, name=target.shown), self._told)

    def drop(self, statement: Drop) -> None:
        """Forget a table or view."""
        path = self.path(statement.name, statement.span)
        home = self._home(temporary=statement.temporary)
        entry = home.get(path)
        kind = "VIEW" if isinstance(entry, CreateView) else "TABLE"
        if entry is not None and kind == statement.kind:
            if not statement.temporary and path in self._temporary:
                raise self._hidden(path, statement)
            del home[path]
        elif not statement.if_exists:
            if entry is not None:
                raise PlanError(
                    "INVALID_QUERY",
                    span=statement.span,
                    problem=f"`{path.shown}` is a {kind.lower()}, not a {statement.kind.lower()}.",
                    instead=f"Write DROP {kind}.",
                )
            if not statement.temporary and path in self._temporary:
                raise self._hidden(path, statement)
            raise self.unknown(path, statement.span)

    def drop_database(self, catalog: str, database: str | None) -> None:
        """Forget everything in a database, or in a whole catalog."""
        for path in [path for path in map(self.path, self.unusable) if path.catalog == catalog]:
            if database in (None, path.database):
                del self.unusable[path.shown]
        for home in (self._permanent, self._temporary):
            for path in list(home):
                if path.catalog == catalog and database in (None, path.database):
                    del home[path]

    def mark_broken(self, name: str) -> None:
        """Its CREATE failed: its uses are no mistakes of their own."""
        path = self.path(name)
        if path not in self.entries:
            self._broken.add(path)

    def view(
        self, name: str, *, hints: tuple[OptionValue, ...] = (), span: Span | None = None
    ) -> CreateView | None:
        """A view by name; it takes no hint, unless it stands for a table."""
        path = self.path(name, span)
        entry = self.entries_at(path)
        if not isinstance(entry, CreateView):
            return None
        if hints and entry is self.filled.get(path.shown):
            return _hinted(entry, hints)
        if hints:
            raise PlanError(
                "INVALID_QUERY",
                span=hints[0].span,
                problem=f"View `{name}` cannot be given options by a hint.",
                instead="Put the hint behind a table inside the view.",
            )
        return entry

    def table(self, name: str, span: Span | None, hints: tuple[OptionValue, ...] = ()) -> Connector:
        """A table by name; `hints` go over its own options for this use."""
        path = self.path(name, span)
        entry = self.entries_at(path)
        if isinstance(entry, CreateView):
            raise PlanError("NOT_A_SINK", span=span, table=path.shown, connector="view")
        if entry is None:
            raise self.unknown(path, span)
        return self._with_hints(entry, hints) if hints else entry

    def entries_at(self, path: Path) -> Connector | CreateView | None:
        """What stands under a name, unless it is detached."""
        if path.shown in self.detached:
            return None
        return self.entry(path) or self.filled.get(path.shown)

    def entry(self, path: Path) -> Connector | CreateView | None:
        """What has a name, be it detached."""
        return self._temporary.get(path) or self._permanent.get(path) or self.virtual.get(path)

    def unknown(self, path: Path, span: Span | None) -> PlanError:
        """The error for a name that nothing stands under."""
        if path in self._broken and path.shown not in self.unusable:
            return PlanError("BROKEN_TABLE", span=span, table=path.shown)
        if path.shown in self.unusable and path.shown not in self.detached:
            why = self.unusable[path.shown]
            return PlanError("UNUSABLE_TABLE", span=span, table=path.shown, why=why)
        known = [name for name in self.names if name not in self.detached]
        near = difflib.get_close_matches(path.shown, known, n=1)
        hint = f" Did you mean `{near[0]}`?" if near else ""
        if path.shown in self.detached:
            hint = f" It is detached: ATTACH TABLE {path.shown} brings it back."
        return PlanError(
            "UNKNOWN_TABLE",
            span=span,
            table=path.shown,
            did_you_mean=hint,
            known=", ".join(known) or "none",
        )

    def check_bindings(self) -> None:
        """Refuse a `--bind` of a table that the script never created."""
        for name in self._overrides.bindings:
            if name not in self._bound:
                raise OptionError(
                    "UNKNOWN_BINDING", table=name, tables=", ".join(sorted(self._bound))
                )

    def _home(self, *, temporary: bool) -> dict[Path, Connector | CreateView]:
        return self._temporary if temporary else self._permanent

    def _taken(
        self, path: Path, span: Span | None, *, if_not_exists: bool, temporary: bool
    ) -> bool:
        self.namespace.require(path.catalog, path.database, span)
        if path not in self._home(temporary=temporary) and path.shown not in self.unusable:
            return False
        if if_not_exists:
            return True
        raise PlanError("TABLE_EXISTS", span=span, table=path.shown)

    def _hidden(self, path: Path, statement: Drop) -> PlanError:
        return PlanError(
            "INVALID_QUERY",
            span=statement.span,
            problem=f"A temporary table or view `{path.shown}` hides the one to be dropped.",
            instead=f"Write DROP TEMPORARY {statement.kind} {path.shown} first.",
        )

    def _with_hints(self, entry: Connector, hints: tuple[OptionValue, ...]) -> Connector:
        if not self.dynamic_options:
            raise OptionError(
                "CONFLICTING_OPTIONS",
                span=hints[0].span,
                table=entry.table.name,
                conflict="The hint OPTIONS is allowed only while "
                "'table.dynamic-table-options.enabled' is 'true'.",
                instead="",
            )
        options = {option.key: option for option in (*entry.table.options, *hints)}
        return connect(replace(entry.table, options=tuple(options.values())), self._told)


def _hinted(view: CreateView, hints: tuple[OptionValue, ...]) -> CreateView:
    query = view.query.copy()
    for table in query.find_all(exp.Table):
        for hint in hints:
            give_option(table, hint)
    return replace(view, query=query)
