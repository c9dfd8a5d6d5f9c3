"""Names in full: catalog, database, object; which catalogs and databases there are, which are used.

A name in the default database of the default catalog is shown without them: job state hangs on the
shown name.
"""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from penstock.errors import PlanError
from penstock.sql.names import joined, parts_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from penstock.model.span import Span

DEFAULT_CATALOG = "default_catalog"
DEFAULT_DATABASE = "default_database"
_MOST_PARTS = 3


@dataclass(frozen=True, slots=True)
class Path:
    """A table's or view's place."""

    catalog: str
    database: str
    name: str

    @property
    def shown(self) -> str:
        """As short as it can be told apart from all others."""
        if self.catalog != DEFAULT_CATALOG:
            return joined((self.catalog, self.database, self.name))
        if self.database != DEFAULT_DATABASE:
            return joined((self.database, self.name))
        return joined((self.name,))


@dataclass(slots=True)
class Namespace:
    """Catalogs with their databases, and the current ones."""

    catalog: str = DEFAULT_CATALOG
    database: str = DEFAULT_DATABASE
    # catalog → its default database; catalog → its databases
    defaults: dict[str, str] = field(default_factory=lambda: {DEFAULT_CATALOG: DEFAULT_DATABASE})
    databases: dict[str, list[str]] = field(
        default_factory=lambda: {DEFAULT_CATALOG: [DEFAULT_DATABASE]}
    )

    # What a dialect without catalogs calls the default database.
    default_shown: str = ""

    def path(self, name: str, span: Span | None = None) -> Path:
        """What a name means here."""
        parts = parts_of(name)
        if len(parts) > _MOST_PARTS:
            raise PlanError(
                "INVALID_QUERY",
                span=span,
                problem=f"The name `{name}` has {len(parts)} parts.",
                instead="A name is table, database.table or catalog.database.table.",
            )
        catalog, database, last = ("", "", *parts)[-_MOST_PARTS:]
        return Path(catalog or self.catalog, database or self.database, last)

    @contextmanager
    def using(self, database: str = DEFAULT_DATABASE) -> Iterator[None]:
        """Short names are of a database for a while; shown ones are of the default."""
        before, self.database = self.database, database
        try:
            yield
        finally:
            self.database = before

    def database_of(self, name: str, span: Span | None) -> tuple[str, str]:
        """`[catalog.]database` in full."""
        parts = parts_of(name)
        if len(parts) > _MOST_PARTS - 1:
            raise self.unknown("database", name, span)
        return (parts[0], parts[1]) if len(parts) > 1 else (self.catalog, parts[0])

    def require(self, catalog: str, database: str, span: Span | None) -> None:
        """Refuse a database that was not created."""
        if catalog not in self.databases:
            raise self.unknown("catalog", catalog, span)
        if database not in self.databases[catalog]:
            raise self.unknown("database", self.database_shown(catalog, database), span)

    def database_shown(self, catalog: str, database: str) -> str:
        """A database as the dialect writes it."""
        if not self.default_shown:
            return joined((catalog, database))
        return self.default_shown if database == DEFAULT_DATABASE else joined((database,))

    def add_broken(self, name: str, kind: str, *, use: bool) -> None:
        """Act as if a catalog or database were there, or used, whose own statement failed."""
        parts = parts_of(name)
        catalog = parts[0] if kind == "CATALOG" or len(parts) > 1 else self.catalog
        self.databases.setdefault(catalog, []).append(parts[-1])
        self.defaults.setdefault(catalog, parts[-1])
        if use:
            self.catalog, self.database = catalog, parts[-1]

    def unknown(self, kind: str, name: str, span: Span | None) -> PlanError:
        """The error for a catalog or database that is not there."""
        known = (
            list(self.databases)
            if kind == "catalog"
            else [self.database_shown(c, d) for c, names in self.databases.items() for d in names]
        )
        return PlanError(
            "UNKNOWN_DATABASE", span=span, kind=kind, name=name, known=", ".join(known)
        )
