"""Topics as sources and targets: all that `spark/` and `runtime/` need to know of a Kafka table."""

from __future__ import annotations

from dataclasses import dataclass

from penstock.connectors.base import Source, Target
from penstock.model.secret import shown_pairs

Properties = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Startup:
    """Where the first run begins to read; a checkpoint wins over it.

    `by_option` says that the script has a say in it.
    """

    mode: str
    group_id: str | None = None
    reset: str | None = None
    timestamp_ms: int | None = None
    offsets: tuple[tuple[int, int], ...] = ()
    by_option: bool = True


@dataclass(frozen=True, slots=True)
class Bound:
    """Where reading ends: before the offset that the mode names, in every partition."""

    mode: str
    timestamp_ms: int | None = None
    offsets: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Failures:
    """What handles messages that cannot be read; `topic` is that of dead letters, if any.

    More of them than `most_per_batch` end the query.
    """

    handler: str = "none"
    topic: str | None = None
    most_per_batch: int | None = None


@dataclass(frozen=True, slots=True)
class Reading:
    """How a stream of topics is read, beyond where it begins and ends.

    `discovery_ms` of 0 keeps to the partitions of the first run. `idle_timeout_ms` is the table's
    own, None where the job's setting counts. `keep_going` goes on when retention overtook the
    query, and counts what was lost; None where the job's setting counts. `parallelism` and
    `consumers` are how many tasks share the partitions, at most. A batch waits for as many messages
    as it may have, but not longer than `flush_ms`. What a bounded query has read is committed to
    the group only if the table `commits_bounded`. `client_id` is the consumer's name at the broker,
    where the properties give none. One that `is_member` of its group shares the messages with the
    group's other tables, and goes on where somebody has set the group.
    """

    headers: bool = False
    leader_epoch: bool = False
    discovery_ms: int = 300_000
    idle_timeout_ms: int | None = None
    parallelism: int | None = None
    keep_going: bool | None = None
    consumers: int | None = None
    max_offsets_per_batch: int | None = None
    flush_ms: int | None = None
    commits_bounded: bool = True
    client_id: str | None = None
    is_member: bool = False
    failures: Failures = Failures()


@dataclass(frozen=True, slots=True)
class KafkaSource(Source):
    """Topics to read, with the properties of the Java client."""

    topics: tuple[str, ...]
    pattern: str | None
    properties: Properties
    startup: Startup
    bound: Bound | None = None
    reading: Reading = Reading()

    def describe(self) -> str:
        """Topic or pattern, where it begins and ends, the client's properties."""
        what = f"pattern '{self.pattern}'" if self.pattern else f"topic {_quoted(self.topics)}"
        end = f" to {self.bound.mode}" if self.bound else ""
        still = "" if self.bound or self.reading.discovery_ms else ", no new partitions"
        reader = ", leader epochs by Penstock's own reader" if self.reading.leader_epoch else ""
        properties = _shown(self.properties)
        return f"{what} from {self.startup.mode}{end}{still}{reader} ({properties})"

    def describe_watermark(self) -> str:
        """The least of all partitions counts; one that is idle does not, after a time."""
        idle_ms = self.reading.idle_timeout_ms
        return f"per partition{f', idle after {idle_ms / 1000:g} s' if idle_ms else ''}"

    def identity(self) -> object:
        """Offsets belong to topics."""
        return self.pattern or self.topics


@dataclass(frozen=True, slots=True)
class Partitioner:
    """Which partition a record goes to: `default`, `fixed`, a `java` class or a `python` one.

    A Python one stands in a module of one of the `folders`, or of Python's path.
    """

    kind: str = "default"
    name: str = ""
    folders: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Buffer:
    """Rows of one key are held back for the last: at most so many keys, and for so long."""

    rows: int
    interval_ms: int


@dataclass(frozen=True, slots=True)
class KafkaTarget(Target):
    """The topics to write, with the properties of the Java client.

    One topic takes every record; of several, or of those a pattern matches, the record's own
    `topic` chooses.
    """

    topics: tuple[str, ...]
    pattern: str | None
    properties: Properties
    guarantee: str = "at-least-once"
    transactional_id_prefix: str | None = None
    partitioner: Partitioner = Partitioner()
    parallelism: int | None = None
    buffer: Buffer | None = None

    def describe(self) -> str:
        """The topics, what is not Kafka's default, the client's properties."""
        what = f"pattern '{self.pattern}'" if self.pattern else f"topic {_quoted(self.topics)}"
        if self.guarantee == "exactly-once":
            what += f", transactional ids '{self.transactional_id_prefix}…'"
        if self.partitioner.kind != "default":
            name = f" {self.partitioner.name}" if self.partitioner.name else ""
            what += f", partitioner {self.partitioner.kind}{name}"
        if self.buffer:
            seconds = self.buffer.interval_ms / 1000
            what += f", the last of each key in {self.buffer.rows} rows or {seconds:g} s"
        return f"{what} ({_shown(self.properties)})"


def _quoted(names: tuple[str, ...]) -> str:
    return ", ".join(f"'{name}'" for name in names)


def _shown(properties: Properties) -> str:
    return ", ".join(shown_pairs(properties))
