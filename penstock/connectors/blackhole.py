"""The `blackhole` connector: takes every row and keeps none."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from penstock.connectors.base import Connector, SinkSpec, Target
from penstock.model.changelog import ChangelogMode
from penstock.model.option import Option, text
from penstock.model.types import quote

if TYPE_CHECKING:
    from penstock.model.option import OptionReader

_CONNECTOR: Option[Any] = Option("connector", text, None, "`blackhole`.", required=True)
_ENGINE: Option[Any] = Option("engine", text, None, "`Null`.")
_VERSION: Option[Any] = Option("property-version", text, None, "Accepted: it changes nothing.")


@dataclass(frozen=True, slots=True)
class BlackholeTarget(Target):
    """Nowhere."""

    def describe(self) -> str:
        """Nowhere."""
        return "blackhole"


class Blackhole(Connector):
    """Computes every row and writes none; takes any changelog."""

    name = "blackhole"
    IS_SOURCE = False
    PARTITIONED = True
    OPTIONS = (_CONNECTOR, _VERSION)

    def read(self, options: OptionReader) -> None:
        """Pull every option."""
        options.pull_rest(self.OPTIONS)
        options.finish()

    def sink(self) -> SinkSpec:
        """All columns, so that all of them are computed."""
        columns = tuple((c.name, quote(c.name)) for c in self.table.sink_columns)
        return SinkSpec(BlackholeTarget(), columns, tuple(ChangelogMode))


class Null(Blackhole):
    """ClickHouse's `ENGINE = Null`."""

    name = "null"
    IN_WITH = False
    INSTEAD = (
        "ENGINE = Null keeps no rows for a view to follow. Make it a MergeTree table, with a TTL "
        "if its rows need not stay."
    )
    OPTIONS = (_CONNECTOR, _ENGINE)
