"""What is to be done for a script that has tables at rest, statement by statement.

Planned by `plan.clickhouse.record`, carried out in order by `runtime.steps`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from penstock.catalog.definitions import Definitions
    from penstock.connectors.merge_rules import Merge
    from penstock.connectors.merge_tree import MergeTreeTable
    from penstock.plan.nodes import Named
    from penstock.plan.query import Query, Result


@dataclass(frozen=True, slots=True)
class MakeTable:
    """A folder for the rows of a new table; files that are replaced stay so many seconds."""

    table: MergeTreeTable
    lifetime_s: int


@dataclass(frozen=True, slots=True)
class RemoveTable:
    """The rows of a dropped table go."""

    table: MergeTreeTable


@dataclass(frozen=True, slots=True)
class EmptyTable:
    """TRUNCATE, or DROP PARTITION: `partition` is an SQL text."""

    table: MergeTreeTable
    partition: str | None = None


@dataclass(frozen=True, slots=True)
class CompactTable:
    """OPTIMIZE: many small files become few; rows of one key become one by `merge`.

    With `order` all are written anew, sorted by these. `partition` is an SQL text: only the rows of
    that one.
    """

    table: MergeTreeTable
    merge: Merge | None = None
    order: tuple[str, ...] | None = None
    partition: str | None = None


@dataclass(frozen=True, slots=True)
class RemoveOldFiles:
    """OPTIMIZE: files that were replaced long ago go, if none of the `views` needs them.

    These are all that there are, also detached ones.
    """

    table: MergeTreeTable
    views: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class MutateRows:
    """DELETE, UPDATE and TTL: rows of the condition `gone` go; "" if none do.

    Of `columns`, each with its condition and what it has then, values become others.
    """

    table: MergeTreeTable
    gone: str = ""
    columns: tuple[tuple[str, str, str], ...] = ()
    partition: str | None = None


@dataclass(frozen=True, slots=True)
class ChangeColumns:
    """Other columns than `before`: `moved` one by one, then `added` with their types.

    What moves has another name then; one that has none goes.
    With `rewritten` instead, every row is made anew, of expressions over its old columns.
    Files that are replaced stay `lifetime_s` seconds from now on, if it is said.
    """

    table: MergeTreeTable
    before: tuple[tuple[str, str], ...]
    moved: tuple[tuple[str, str], ...] = ()
    added: tuple[tuple[str, str], ...] = ()
    rewritten: Named = ()
    lifetime_s: int | None = None


@dataclass(frozen=True, slots=True)
class BeginView:
    """A view of tables at rest that it did not read: it sees what is inserted from now on.

    One that `waited` goes on with those that it read before.
    """

    name: str
    tables: tuple[MergeTreeTable, ...]
    waited: bool = False


@dataclass(frozen=True, slots=True)
class ForgetView:
    """A view that is gone, or new: nothing is remembered of it.

    Where it was is left to one that is made under its name, unless it goes on under another.
    """

    name: str
    renamed: bool = False


@dataclass(frozen=True, slots=True)
class CopyView:
    """A view that gets another name takes with it what it has read."""

    old: str
    new: str


@dataclass(frozen=True, slots=True)
class StopViews:
    """Views that change or go: nobody runs them until `ReleaseViews`.

    `known` are all that there were; `inserted` first read what is in their tables at rest. Nobody
    runs those that are `unplanned` either: nothing else can be said of them.
    """

    views: tuple[Query, ...]
    known: tuple[Query, ...]
    inserted: tuple[Query, ...] = ()
    unplanned: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CloseTables:
    """Folders of tables whose names others get: INSERT waits until `Keep`, and goes on there.

    Views that followed them are to have all that came before.
    """

    folders: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class HoldViews:
    """Views that stay as they are, but write nothing until `ReleaseViews`.

    `inserted` first read what is in their tables at rest; `unplanned` as of `StopViews`.
    """

    views: tuple[Query, ...]
    inserted: tuple[Query, ...] = ()
    unplanned: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ReleaseViews:
    """What stood still goes on as it is defined by now."""


@dataclass(frozen=True, slots=True)
class Command:
    """SYSTEM STOP and its kind: for whoever runs the `views` of these Kafka tables."""

    verb: str
    tables: tuple[str, ...]
    views: tuple[Query, ...]


@dataclass(frozen=True, slots=True)
class MoveTables:
    """Kafka tables that get another name, or "" if they go: what SYSTEM said of them follows."""

    names: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class SetViews:
    """The views that this script runs from now on."""

    views: tuple[Query, ...]


@dataclass(frozen=True, slots=True)
class RunOnce:
    """INSERT, or a SELECT whose rows are shown.

    One that is `unseen` fills what nobody knows yet: no view reads it.
    """

    query: Query
    unseen: bool = False


@dataclass(frozen=True, slots=True)
class Tell:
    """What SHOW and its like answer."""

    result: Result


@dataclass(frozen=True, slots=True)
class Keep:
    """Definitions are written: whoever runs views follows them from here on."""


Action: TypeAlias = (
    MakeTable
    | RemoveTable
    | EmptyTable
    | CompactTable
    | RemoveOldFiles
    | MutateRows
    | ChangeColumns
    | BeginView
    | CopyView
    | ForgetView
    | StopViews
    | CloseTables
    | HoldViews
    | ReleaseViews
    | Command
    | MoveTables
    | SetViews
    | RunOnce
    | Tell
    | Keep
)


@dataclass(frozen=True, slots=True)
class Step:
    """One thing to do, and what the warehouse knows when it is done.

    Only `Keep` changes it.
    """

    action: Action
    definitions: Definitions


def rewritten(action: Action) -> str:
    """The folder whose rows an action writes anew or takes out; "" if none."""
    if isinstance(action, EmptyTable | MutateRows | ChangeColumns):
        return action.table.path
    if isinstance(action, CompactTable) and action.order is not None:
        return action.table.path
    return ""
