"""Named collections: settings under a name, which Kafka tables are created with."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from penstock.errors import OptionError
from penstock.plan.clickhouse.refusals import invalid
from penstock.sql.clickhouse.quoting import identifier, quoted

if TYPE_CHECKING:
    from penstock.errors import PlanError
    from penstock.model.option import OptionValue
    from penstock.model.span import Span
    from penstock.model.table import Table
    from penstock.plan.planning import Planning
    from penstock.sql.clickhouse.statements import (
        AlterCollection,
        CreateCollection,
        DropCollection,
    )

_OPTION = "engine.collection"


@dataclass(frozen=True, slots=True)
class Collection:
    """Settings by their names; a table may not set those that are `fixed` otherwise."""

    values: dict[str, OptionValue]
    fixed: frozenset[str]

    def text(self, name: str) -> str:
        """The statement that makes it, with its passwords."""
        fixed = dict.fromkeys(self.fixed, " NOT OVERRIDABLE")
        parts = (
            f"{identifier(key)} = {quoted(one.value)}{fixed.get(key, '')}"
            for key, one in self.values.items()
        )
        return f"CREATE NAMED COLLECTION {identifier(name)} AS {', '.join(parts)}"


def collection_name(name: str) -> str:
    """The name of a collection among those of tables and views, none of which is quoted so."""
    return f"named collection `{name}`"


def name_of_collection(kept: str) -> str:
    """The name of a collection that is kept under another one."""
    return kept.partition("`")[2].removesuffix("`")


def create_collection(planning: Planning, statement: CreateCollection) -> None:
    """Remember settings under a name."""
    if statement.name in planning.kept.unusable:
        raise _unusable(planning, statement.name, statement.span)
    if statement.name in planning.collections:
        if not statement.if_not_exists:
            raise invalid(f"The named collection `{statement.name}` is there.", statement.span)
        return
    values = {one.key: one for one in statement.values}
    planning.collections[statement.name] = Collection(values, frozenset(statement.fixed))


def alter_collection(planning: Planning, statement: AlterCollection) -> None:
    """Other settings; tables keep those that they were created with."""
    found = _known(planning, statement.name, statement.span, if_exists=statement.if_exists)
    if found is None:
        return
    values = {**found.values, **{one.key: one for one in statement.values}}
    fixed = (found.fixed - {one.key for one in statement.values}) | set(statement.fixed)
    left = {key: one for key, one in values.items() if key not in statement.deleted}
    if not left:
        problem = f"The named collection `{statement.name}` would be empty."
        raise invalid(problem, statement.span)
    planning.collections[statement.name] = Collection(left, fixed & left.keys())


def drop_collection(planning: Planning, statement: DropCollection) -> None:
    """Forget settings; tables keep those that they were created with."""
    if planning.kept.unusable.pop(statement.name, None) is not None:
        return
    if _known(planning, statement.name, statement.span, if_exists=statement.if_exists):
        del planning.collections[statement.name]


def with_collection(planning: Planning, table: Table) -> Table:
    """A table with the settings of the collection that it names, and its own over them."""
    named = next((option for option in table.options if option.key == _OPTION), None)
    if named is None:
        return table
    found = planning.collections.get(named.value)
    if named.value in planning.kept.unusable:
        raise _unusable(planning, named.value, named.span)
    if found is None:
        known = ", ".join(planning.collections) or "none"
        raise OptionError(
            "NAMED_COLLECTION",
            span=named.span,
            table=table.name,
            collection=named.value,
            known=known,
        )
    own = {option.key: option for option in table.options if option.key != _OPTION}
    for key in own.keys() & found.fixed:
        raise OptionError(
            "CONFLICTING_OPTIONS",
            span=own[key].span,
            table=table.name,
            conflict=f"The collection `{named.value}` does not let '{key}' be overridden.",
            instead="",
        )
    given = {key: replace(one, span=named.span) for key, one in found.values.items()}
    return replace(table, options=tuple({**own, **given, **own}.values()))


def _known(planning: Planning, name: str, span: Span, *, if_exists: bool) -> Collection | None:
    found = planning.collections.get(name)
    if name in planning.kept.unusable:
        raise _unusable(planning, name, span)
    if found is None and not if_exists:
        raise invalid(f"There is no named collection `{name}`.", span)
    return found


def _unusable(planning: Planning, name: str, span: Span | None) -> PlanError:
    why = planning.kept.unusable[name].rstrip(".")
    problem = f"The named collection `{name}` of the warehouse cannot be used as it is: {why}."
    return invalid(f"{problem} DROP NAMED COLLECTION {name}, and create it anew.", span)
