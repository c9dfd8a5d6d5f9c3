"""Every error a user can meet: a class for what must be acted on, a stable code, its wording.

Raise with a code and named facts (`raise OptionError("UNKNOWN_OPTION", table=…, option=…)`); the
sentences live in `messages` and nowhere else.

    PenstockError
    ├── SqlError      the text of the script is wrong                     exit 2
    ├── OptionError   an option of a table, of SET or of the command line exit 2
    ├── PlanError     the query cannot be run as it is written            exit 2
    ├── SetupError    Java, jars, disk: the machine lacks something       exit 3
    ├── KafkaError    the broker, a topic, the schema registry            exit 3
    ├── DataError     a message or a row that cannot be read or written   exit 1
    └── RunError      a job that failed or may not start                  exit 1
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from penstock.messages import MESSAGES

if TYPE_CHECKING:
    from penstock.model.span import Span


class PenstockError(Exception):
    """The family; `code` is stable between releases, `facts` are what the message was made of.

    `also` are the other mistakes of the same script, in its order.
    """

    exit_code: ClassVar[int] = 1

    def __init__(self, code: str, /, *, span: Span | None = None, **facts: object) -> None:
        message = MESSAGES[code]
        if message.family != type(self).__name__:
            raise AssertionError(f"{code} belongs to {message.family}, not {type(self).__name__}")
        self.code = code
        self.facts = facts
        self.span = span
        self.also: tuple[PenstockError, ...] = ()
        self.text = message.text.format(**facts)
        self.advice = message.advice.format(**facts)
        super().__init__(" ".join(part for part in (self.text, self.advice) if part))


class SqlError(PenstockError):
    """The text of the script is wrong."""

    exit_code = 2


class OptionError(PenstockError):
    """An option of a table, of `SET` or of the command line is wrong."""

    exit_code = 2


class PlanError(PenstockError):
    """The query cannot be run as it is written."""

    exit_code = 2


class SetupError(PenstockError):
    """The machine lacks something: Java, jars, disk, a port."""

    exit_code = 3


class KafkaError(PenstockError):
    """The broker, a topic or the schema registry is not there, or refuses."""

    exit_code = 3


class DataError(PenstockError):
    """A message or a row cannot be read or written."""


class RunError(PenstockError):
    """A job failed while it ran, or may not start."""
