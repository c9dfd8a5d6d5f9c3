"""The `print` connector: rows as lines of text on standard output, in Flink's form."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from penstock.connectors.base import Connector, SinkSpec, Target
from penstock.model.changelog import KIND_COLUMN, ChangelogMode
from penstock.model.option import Option, boolean, positive_number, text
from penstock.model.types import literal, quote

if TYPE_CHECKING:
    from penstock.model.option import OptionReader

# Each update with the row before it, as Flink prints it.
_ACCEPTS = (ChangelogMode.APPEND, ChangelogMode.RETRACT)
_CONNECTOR: Option[Any] = Option("connector", text, None, "`print`.", required=True)
_IDENTIFIER: Option[Any] = Option(
    "print-identifier", text, "", "Stands before each line: `identifier> …`."
)
_STANDARD_ERROR: Option[Any] = Option(
    "standard-error", boolean, False, "Print to standard error instead.", "Boolean"
)
_PARALLELISM: Option[Any] = Option(
    "sink.parallelism",
    positive_number,
    None,
    "Accepted: lines are printed one after the other and name no task.",
    "Integer",
)


@dataclass(frozen=True, slots=True)
class PrintTarget(Target):
    """Standard output or standard error of the process that runs the job."""

    prints = True

    prefix: str
    standard_error: bool

    def describe(self) -> str:
        """Which of the two."""
        return "standard error" if self.standard_error else "standard output"


class Print(Connector):
    """Shows every row and its kind; takes any changelog."""

    name = "print"
    IS_SOURCE = False
    OPTIONS = (_CONNECTOR, _IDENTIFIER, _STANDARD_ERROR, _PARALLELISM)

    def read(self, options: OptionReader) -> None:
        """Pull every option."""
        options.pull(_CONNECTOR)
        identifier = options.pull(_IDENTIFIER)
        prefix = f"{identifier}> " if identifier else ""
        self.target = PrintTarget(prefix, bool(options.pull(_STANDARD_ERROR)))
        options.pull(_PARALLELISM)
        options.finish()

    def sink(self) -> SinkSpec:
        """One text per row, `[a, b]`; the kind of the row is put before it when it is printed."""
        columns = (c for c in self.table.sink_columns if c.kind == "physical")
        fields = ", ".join(f"{literal(c.name)}, {quote(c.name)}" for c in columns)
        row = f"CAST(penstock_print_encode(named_struct({fields}), '{{}}') AS STRING)"
        kind = (KIND_COLUMN, quote(KIND_COLUMN))
        return SinkSpec(self.target, (("line", row), kind), _ACCEPTS, kinds=True)
