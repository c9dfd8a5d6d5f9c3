"""What is known at one point of a script: handed from statement to statement."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from penstock.catalog.catalog import Catalog
    from penstock.catalog.definitions import Definitions
    from penstock.catalog.functions import UserFunction
    from penstock.catalog.warehouse import Warehouse
    from penstock.model.span import Span
    from penstock.plan.clickhouse.collections import Collection
    from penstock.plan.language import Language
    from penstock.plan.query import Query, Result
    from penstock.plan.steps import Step
    from penstock.sql.clickhouse.statements import CreateMaterializedView
    from penstock.sql.statements import Insert


@dataclass(slots=True)
class Kept:
    """What the warehouse had before the script: objects with the statements that declared them.

    `own` are the views that the script itself created, declared again or attached: those it runs.
    `unplanned` are views that can not be planned any more, and why; none if they can again.
    `unusable` are named collections that cannot be understood any more, and why.
    `by_itself`: the statements are for the warehouse alone, and another process runs its views.
    """

    warehouse: Warehouse | None = None
    loaded: Definitions | None = None
    declared: dict[str, str] = field(default_factory=dict)
    databases: dict[str, str] = field(default_factory=dict)
    own: set[str] = field(default_factory=set)
    known: set[str] = field(default_factory=set)
    unplanned: dict[str, str] = field(default_factory=dict)
    unusable: dict[str, str] = field(default_factory=dict)
    by_itself: bool = False


@dataclass(slots=True)
class Planning:
    """The names, settings and queries so far; `given` settings win over the script's own.

    `views` are ClickHouse's materialized views, `halted` the tables that SYSTEM stopped,
    `collections` its settings under a name, `kept` what the warehouse had, `steps` what is to be
    done to it.
    """

    catalog: Catalog
    language: Language
    given: dict[str, str] = field(default_factory=dict)
    settings: dict[str, str] = field(default_factory=dict)
    queries: list[Query] = field(default_factory=list)
    results: list[Result] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    functions: list[UserFunction] = field(default_factory=list)
    sinks: Counter[str] = field(default_factory=Counter)
    zones: dict[str, Insert] = field(default_factory=dict)
    views: dict[str, CreateMaterializedView] = field(default_factory=dict)
    halted: set[str] = field(default_factory=set)
    collections: dict[str, Collection] = field(default_factory=dict)
    kept: Kept = field(default_factory=Kept)
    steps: list[Step] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.catalog.namespace.default_shown = self.language.default_database

    @property
    def effective(self) -> dict[str, str]:
        """The settings as they hold here."""
        return {**self.settings, **self.given}

    def note(self, text: str, span: Span | None) -> None:
        """Something that changes nothing, told once."""
        told = f"{span}: {text}" if span else text
        if told not in self.notes:
            self.notes.append(told)
