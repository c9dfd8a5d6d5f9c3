"""ClickHouse's MergeTree family: tables at rest, with their keys."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from penstock.connectors.base import Connector, ScanSpec, SinkSpec, Source, Target
from penstock.connectors.merge_arguments import engine_columns
from penstock.connectors.merge_maps import sum_maps
from penstock.connectors.merge_rules import Merge, kept_columns, merge_of
from penstock.errors import OptionError
from penstock.model.option import Option, OptionReader, text, whole_number
from penstock.model.types import quote
from penstock.sql.clickhouse.key_parts import columns_of
from penstock.sql.clickhouse.types import default_sql

if TYPE_CHECKING:
    from penstock.model.span import Span
    from penstock.model.table import Column
    from penstock.model.types import DataType

# What a query says of a table that it reads FINAL.
FINAL = "final"
# Whether what is to be summed may be named in a key: there it is not summed.
SUMS_IN_KEYS = "allow_summing_columns_in_partition_or_order_key"
# Delta's own: nobody reads or writes for so long.
_LIFETIME_S = 7 * 24 * 60 * 60
# Other processes may read files that were replaced meanwhile, and write some that nobody knows yet.
LEAST_LIFETIME_S = 24 * 60 * 60
LIFETIME = Option(
    "old_parts_lifetime",
    whole_number,
    _LIFETIME_S,
    "So long files stay after OPTIMIZE, ALTER and others have replaced them; then OPTIMIZE removes "
    "them. At least a day.",
    "Seconds",
)
_ORDERED = re.compile(r"(Replicated|Shared)?\w*MergeTree")


@dataclass(frozen=True, slots=True)
class MergeTreeTable(Source, Target):
    """A table at rest: its engine with arguments, its keys as the script wrote them.

    `columns` are the columns that the engine's arguments name: a version, a sign, the sums. Its
    rows are at `path`, in columns of Spark's types: `schema`. With `merge` they are read merged.
    """

    guarantee = "exactly-once"

    name: str
    engine: str
    columns: tuple[str, ...]
    order_by: str
    partition_by: str
    ttl: str
    path: str = ""
    schema: tuple[tuple[str, str], ...] = ()
    merge: Merge | None = None

    def describe(self) -> str:
        """Engine and keys."""
        arguments = f"({', '.join(self.columns)})" if self.columns else ""
        parts = [f"{self.engine}{arguments} {self.name}"]
        parts += [f"order by {self.order_by}"] if self.order_by else []
        parts += [f"partition by {self.partition_by}"] if self.partition_by else []
        parts += [f"ttl {self.ttl}"] if self.ttl else []
        parts += ["final"] if self.merge else []
        return ", ".join(parts)

    @property
    def is_partitioned(self) -> bool:
        """Whether rows are laid out by partitions."""
        return self.partition_by.replace(" ", "") not in ("", "tuple()", "()")

    @property
    def key_columns(self) -> tuple[str, ...]:
        """The columns that its keys are made of."""
        named = kept_columns(self.order_by, self.partition_by)
        return tuple(name for name, _ in self.schema if name in named)

    def identity(self) -> object:
        """A table is known by its folder: one that was dropped and created anew is another one."""
        return self.path or self.name


class MergeTree(Connector):
    """A table that keeps its rows."""

    name = "merge-tree"
    IN_WITH = False
    AT_REST = True
    OPTIONS = (
        Option("order_by", text, "", "ORDER BY: the sorting key."),
        Option("primary_key", text, "", "PRIMARY KEY: a prefix of the sorting key."),
        Option("partition_by", text, "", "PARTITION BY: the partitioning key."),
        Option("sample_by", text, "", "SAMPLE BY: accepted, without effect."),
        Option("ttl", text, "", "TTL: when rows go, at the next OPTIMIZE."),
    )

    def read(self, options: OptionReader) -> None:
        """Pull the clauses; settings of the engine are how ClickHouse stores, and are accepted."""
        options.pull(Option("connector", text))
        self.engine = options.pull(Option("engine", text)) or ""
        given = {option.key: str(options.pull(option) or "") for option in self.OPTIONS}
        self.lifetime_s = max(options.pull(LIFETIME) or 0, LEAST_LIFETIME_S)
        arguments = options.pull_prefix("engine.")
        for key in [o.key for o in self.table.options if o.key not in (*given, LIFETIME.key)]:
            options.pull(Option(key, text))
        options.finish()
        ordered = given["order_by"] or given["primary_key"]
        if _ORDERED.fullmatch(self.engine) and not ordered:
            raise OptionError(
                "MISSING_OPTION",
                table=self.table.name,
                option="ORDER BY",
                instead="Write ORDER BY (…), or ORDER BY tuple() for none.",
            )
        self.target = MergeTreeTable(
            self.table.name,
            self.engine,
            engine_columns(self.table, self.engine, arguments),
            ordered,
            given["partition_by"],
            given["ttl"],
            self.folders[0] if self.folders else "",
            tuple((c.name, c.type.spark_sql()) for c in self._stored() if c.type),
        )
        self._check_sums()
        self._check_maps()
        final = next((option for option in self.table.options if option.key == FINAL), None)
        if final:
            self.target = replace(self.target, merge=self.merge(final.span))

    def merge(self, span: Span | None = None) -> Merge:
        """How rows of one key become one; refused where the engine does not merge."""
        filled = tuple((column.name, _read(column)) for column in self._stored() if column.added)
        return replace(merge_of(self.target, self._columns(), span), filled=filled)

    def scan(self) -> ScanSpec:
        """Every row that was inserted; EPHEMERAL columns are not kept."""
        columns = tuple(
            (column.name, _read(column), column.type)
            for column in self.table.columns
            if column.kind == "physical" and column.type
        )
        return ScanSpec(self.target, (), columns, bounded=True)

    def sink(self) -> SinkSpec:
        """Rows are added."""
        columns = tuple((column.name, quote(column.name)) for column in self._stored())
        return SinkSpec(self.target, columns)

    def _stored(self) -> tuple[Column, ...]:
        return tuple(
            column
            for column in self.table.columns
            if column.kind == "physical" and column.type and column.default_kind != "EPHEMERAL"
        )

    def _check_sums(self) -> None:
        """What a key is made of is no amount, and stays as it is where the table may name it."""
        if "Summing" not in self.engine or self.table.option(SUMS_IN_KEYS) == "1":
            return
        summed = self.target.columns
        keys = (("PARTITION BY", self.target.partition_by), ("ORDER BY", self.target.order_by))
        for clause, key in keys:
            both = [name for name in summed if name in columns_of(key)]
            if both:
                raise OptionError(
                    "CONFLICTING_OPTIONS",
                    table=self.table.name,
                    conflict=f"`{both[0]}` is to be summed, and is in {clause}.",
                    instead="",
                )

    def _check_maps(self) -> None:
        """A table that could not be merged is refused before it has rows."""
        if self.engine.endswith("SummingMergeTree"):
            kept = kept_columns(self.target.order_by, self.target.partition_by)
            sum_maps(self.table.name, self._columns(), kept)

    def _columns(self) -> list[tuple[str, DataType]]:
        return [(c.name, c.type) for c in self._stored() if c.type]


def _read(column: Column) -> str:
    """What older rows lack is the default of its type, as in ClickHouse."""
    if column.default_kind == "EPHEMERAL" and column.type:
        return default_sql(column.type)
    if column.added and column.type:
        return f"coalesce({quote(column.name)}, {default_sql(column.type)})"
    return quote(column.name)
