"""The changelog engine: which operator of the Java module runs a step, and what it must tell."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from penstock.model.changelog import KIND_COLUMN, ChangelogMode
from penstock.model.expression import Expr
from penstock.model.types import TIMESTAMP_3, quote
from penstock.plan.forms import PROCTIME
from penstock.plan.frames import Frame, OverCall, sort_time, time_of
from penstock.plan.infer import infer
from penstock.plan.keys import condition_of, is_single
from penstock.plan.nodes import ORDER_COLUMN, Join, Normalize, Over, Rank, Sort
from penstock.plan.rank import function_of, is_window_rank
from penstock.plan.temporal import keeps
from penstock.plan.walk import arrival_order
from penstock.plan.wanted import texts, wanted_by_step
from penstock.plan.windows import ROWTIME_COLUMN, WINDOW_COLUMN, as_instant
from penstock.spark.operators.aggregate import aggregate
from penstock.spark.operators.join import join
from penstock.spark.operators.normalize import normalize
from penstock.spark.operators.over import over
from penstock.spark.operators.packed import arrival
from penstock.spark.operators.rank import rank
from penstock.spark.operators.sets import set_operation
from penstock.spark.operators.temporal_join import temporal_join

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pyspark.sql import DataFrame

    from penstock.plan.infer import Step
    from penstock.plan.nodes import (
        Aggregate,
        Named,
        Node,
        Project,
        Scan,
        SetOperation,
        WindowAggregate,
    )
    from penstock.plan.query import Query
    from penstock.plan.scope import Field
    from penstock.spark.operators.join import SideRows

# When the window of a row ends, in microseconds.
_WINDOW_END = f"unix_micros({WINDOW_COLUMN}.end)"
_NUMBER = "__number"


@dataclass(frozen=True, slots=True)
class Engine:
    """The steps of one query, with the changelog mode of each and the columns asked of it."""

    steps: tuple[Step, ...]
    wanted: tuple[tuple[Node, str], ...]
    ttl_ms: int

    @classmethod
    def of(cls, query: Query) -> Engine:
        """The engine for a query."""
        step = infer(query.input, needs_before=query.needs_before)
        wanted = wanted_by_step(query.input, texts(query.columns))
        return cls(tuple(_all(step)), tuple(wanted), query.ttl_ms)

    @property
    def in_order(self) -> bool:
        """Whether a step goes by the order in which rows came, if only where others are alike."""
        nodes = [step.node for step in self.steps]
        versions = any(isinstance(node, Join) and node.form == "temporal" for node in nodes)
        return versions or any(isinstance(node, Over | Rank | Sort) for node in nodes)

    def orders(self, node: Scan) -> bool:
        """Whether of the changes of a table the last ones are looked for."""
        return node.spec.mode is not ChangelogMode.APPEND and any(
            isinstance(step.node, Normalize | Join) for step in self.steps
        )

    def changes(self, node: Node) -> bool:
        """Whether the rows of a step are more than inserts."""
        return self._mode(node) is not ChangelogMode.APPEND

    def asked(self, node: Project) -> Named:
        """The columns of a projection that others ask for; what makes the rest may not be there."""
        return tuple((name, expr) for name, expr in node.columns if self.asks(node, quote(name)))

    def asks(self, node: Node, column: str) -> bool:
        """Whether a column of a step, in Spark SQL, is asked for."""
        return column in self._wanted(node)

    def normalize(self, node: Normalize, rows: DataFrame, *, in_order: bool) -> DataFrame:
        """Upserts by key as changes; `in_order` if a step above goes by the order of rows."""
        return normalize(
            rows,
            [field.sql.strip("`") for field in node.kept],
            key=node.key,
            at=arrival(rows),
            ttl_ms=self.ttl_ms,
            update_before=self._tells_before(node),
            in_order=in_order,
        )

    def aggregate(self, node: Aggregate, rows: DataFrame) -> DataFrame:
        """The changes of groups."""
        return aggregate(
            rows,
            keys=node.keys,
            aggregates=node.aggregates,
            ttl_ms=self.ttl_ms,
            update_before=self._tells_before(node),
        )

    def window_aggregate(self, node: WindowAggregate, rows: DataFrame, *, batch: bool) -> DataFrame:
        """The groups of windows, each once: when its window has passed, in a batch at its end."""
        window = (WINDOW_COLUMN, Expr(WINDOW_COLUMN, TIMESTAMP_3))
        found = aggregate(
            rows,
            keys=(window, *node.keys),
            aggregates=node.aggregates,
            until="" if batch else _WINDOW_END,
        )
        return found.drop(KIND_COLUMN)

    def join(self, node: Join, left: DataFrame, right: DataFrame) -> DataFrame:
        """The changes of pairs, and of rows by whether they have a partner."""
        return join(
            left,
            right,
            condition=condition_of(node),
            kind=node.kind,
            rows=(self._side_rows(node, 0), self._side_rows(node, 1)),
            key=self._told_by(node),
            ttl_ms=self.ttl_ms,
        )

    def temporal_join(
        self, node: Join, left: DataFrame, right: DataFrame, *, batch: bool
    ) -> DataFrame:
        """The left rows, each with the version of the right row that was there at its time."""
        assert node.times is not None  # noqa: S101 — the planner names both
        times = (node.times[0].sql.strip("`"), node.times[1].sql.strip("`"))
        found = temporal_join(
            left,
            right,
            condition=condition_of(node),
            kind=node.kind,
            times=times,
            keep=keeps(node.right),
            key=self._told_by(node),
            at_end=batch,
        )
        return found if self.changes(node) else found.drop(KIND_COLUMN)

    def _side_rows(self, node: Join, side: int) -> SideRows:
        if not is_single(node, side):
            return "MANY"
        rows = (node.left, node.right)[side]
        # Where the order of changes is known, the last one counts, whatever those before it say.
        upserts = self._mode(rows) is ChangelogMode.UPSERT or bool(arrival_order(rows))
        return "LAST" if upserts else "ONE"

    def set_operation(self, node: SetOperation, sides: Sequence[DataFrame]) -> DataFrame:
        """The changes of the rows that INTERSECT or EXCEPT gives."""
        return set_operation(node, sides, ttl_ms=self.ttl_ms)

    def rank(self, node: Rank, rows: DataFrame) -> DataFrame:
        """The changes of the rows within a range; one that nobody asks for has no number."""
        arrival = next((o for o in node.order if o.expr.sql == ORDER_COLUMN), None)
        windowed = is_window_rank(node)
        kept = self._kept(node, rows)
        found = rank(
            rows,
            [*kept, *([WINDOW_COLUMN] if windowed and WINDOW_COLUMN not in kept else [])],
            partition=[expr.sql for expr in node.partition],
            # No two rows come at once: terms behind the arrival order nothing more.
            order=node.order[: node.order.index(arrival)] if arrival else node.order,
            first=node.first,
            last=node.last,
            last_by=node.last_by.sql if node.last_by else "",
            function=function_of(node),
            number=node.column if node.numbered else "",
            newest_first=arrival.descending if arrival else node.keep == "last",
            until=_WINDOW_END if windowed else "",
            ttl_ms=self.ttl_ms,
            update_before=self._tells_before(node),
        )
        return found if self.changes(node) else found.drop(KIND_COLUMN)

    def over(self, node: Over, rows: DataFrame) -> DataFrame:
        """Each row with its functions; event times keep their marks."""
        columns = self._with_times(node, rows)
        named = [name for name, _ in node.functions]
        partition = [expr.sql for expr in node.partition]
        calls = list(zip(named, node.calls, strict=True))
        time = time_of(node)
        if time is None:
            return over(rows, columns, partition=partition, calls=calls, order=node.order)
        found = over(
            rows,
            columns,
            partition=partition,
            calls=calls,
            time=f"unix_micros({_moment(time, rows)})",
            by_watermark=not time.proctime,
            ttl_ms=self.ttl_ms if time.proctime else 0,
        )
        return found.drop(KIND_COLUMN)

    def sort(self, node: Sort, rows: DataFrame) -> DataFrame:
        """The changes of the first rows of all; all rows in the order of their times."""
        if node.limit is None:
            return self._in_time(node, rows)
        found = rank(
            rows,
            self._kept(node, rows),
            partition=(),
            order=node.order,
            first=node.offset + 1,
            last=node.offset + node.limit,
            ttl_ms=self.ttl_ms,
            update_before=self._tells_before(node),
        )
        return found if self.changes(node) else found.drop(KIND_COLUMN)

    def _in_time(self, node: Sort, rows: DataFrame) -> DataFrame:
        """Rows as OVER by a time tells them; those of one time in the order asked for."""
        time = sort_time(node)
        assert time is not None  # noqa: S101 — the planner refuses others
        if time.proctime:
            return rows
        # Rows may have it under another name than those below them.
        time = replace(time, sql=node.order[0].expr.sql)
        # With a bounded frame a row is late behind one that was told, not behind the watermark.
        number = OverCall("ROW_NUMBER", Frame(rows=True, size=0))
        found = over(
            rows,
            self._with_times(node, rows),
            partition=(),
            calls=[(_NUMBER, number)],
            time=f"unix_micros({_moment(time, rows)})",
            by_watermark=True,
            order=node.order[1:],
        )
        return found.drop(_NUMBER, KIND_COLUMN)

    def _with_times(self, node: Node, rows: DataFrame) -> list[str]:
        """The columns of a step that others ask for, and event times, which keep their marks."""
        times = [name for name in rows.columns if name.startswith(ROWTIME_COLUMN)]
        return [*(name for name in self._kept(node, rows) if name not in times), *times]

    def _kept(self, node: Node, rows: DataFrame) -> list[str]:
        """The columns of a step that others ask for; hidden ones are named without quotes, too."""
        wanted = self._wanted(node)
        carried = [name for name in rows.columns if name not in (ORDER_COLUMN, KIND_COLUMN)]
        written = {name: name if name.startswith("__") else quote(name) for name in carried}
        return [name for name in carried if written[name] in wanted]

    def _wanted(self, node: Node) -> str:
        return next(text for step, text in self.wanted if step is node)

    def _told_by(self, node: Join) -> list[str]:
        """The key by which an update is known, where nobody asks for the old row."""
        step = next(step for step in self.steps if step.node is node)
        key = step.key if step.mode is ChangelogMode.UPSERT else ()
        return [part.strip("`") for part in key]

    def _tells_before(self, node: Node) -> bool:
        return self._mode(node) is ChangelogMode.RETRACT

    def _mode(self, node: Node) -> ChangelogMode:
        return next(step.mode for step in self.steps if step.node is node)


def _moment(time: Field, rows: DataFrame) -> str:
    """The time of a row, the batch's by processing time; hidden columns may be gone on the way."""
    if time.proctime:
        return PROCTIME.sql
    return (
        time.rowtime
        if time.rowtime in rows.columns
        else as_instant(f"CAST({time.sql} AS TIMESTAMP_NTZ)")
    )


def _all(step: Step) -> Iterator[Step]:
    yield step
    for child in step.inputs:
        yield from _all(child)
