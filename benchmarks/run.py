"""`make bench`: Penstock beside PySpark written by hand and Flink SQL, in one run.

    python -m benchmarks.run [--cases …] [--peers …] [--rounds N] [--seconds N] [--write PAGE]
                             [--check]

Machines are shared and noisy: the sides take turns, and the ratio of their medians is what counts.
`PENSTOCK_BENCH_ROWS` is the number of input rows, 2 million unless it is set.
"""

from __future__ import annotations

import argparse
import signal
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks import (
    changing,
    codecs,
    flink,
    ingest,
    latency,
    report,
    served,
    startup,
    throughput,
    topics,
)
from benchmarks.peers import PEERS

if TYPE_CHECKING:
    from collections.abc import Sequence

CASES = (
    *throughput.CASES,
    *changing.CASES,
    *ingest.CASES,
    *served.CASES,
    *latency.CASES,
    *startup.CASES,
    *codecs.CASES,
)


def main(words: Sequence[str] | None = None) -> int:
    """Measure, print, and with `--check` fail where a bar is missed."""
    arguments = _arguments(words)
    # As Ctrl-C does it: jobs under way are stopped on the way out.
    signal.signal(signal.SIGTERM, lambda number, _: sys.exit(128 + number))
    peers = _peers(arguments.peers)
    comparisons = _measure(arguments, peers)
    facts = report.facts(
        rounds=arguments.rounds, seconds=arguments.seconds, with_flink="flink" in peers
    )
    text = f"{report.table(comparisons)}\n\n{facts}"
    print(f"\n{text}")
    if arguments.write:
        report.write(arguments.write, text)
    missed = [one for one in comparisons if not one.is_met]
    return 1 if missed and arguments.check else 0


def _arguments(words: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="benchmarks.run")
    parser.add_argument("--cases", nargs="+", choices=CASES, default=CASES)
    parser.add_argument("--peers", nargs="+", choices=PEERS, default=PEERS)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=int, default=60, help="measured per latency round")
    parser.add_argument("--write", type=Path, metavar="PAGE", help="put the table into this page")
    parser.add_argument("--check", action="store_true", help="fail where a bar is missed")
    return parser.parse_args(words)


def _peers(asked: Sequence[str]) -> tuple[str, ...]:
    """Penstock, and of the others those that are asked for and can run here."""
    reason = flink.prepare() if "flink" in asked else ""
    if reason:
        print(f"• going on without Flink, which cannot be installed: {reason}", file=sys.stderr)
    left_out = {"flink"} if reason else set()
    return ("penstock", *(peer for peer in PEERS[1:] if peer in asked and peer not in left_out))


def _measure(arguments: argparse.Namespace, peers: tuple[str, ...]) -> list[report.Comparison]:
    comparisons: list[report.Comparison] = []
    rounds = arguments.rounds
    with tempfile.TemporaryDirectory(prefix="penstock-bench-", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        address = topics.start_broker(folder / "broker")
        if set(arguments.cases) & set(throughput.CASES):
            topics.fill(address, throughput.INPUT, rows=topics.ROWS)
        for case in arguments.cases:
            if case in throughput.CASES:
                comparisons += throughput.compare(case, peers, address, folder, rounds=rounds)
            elif case in changing.CASES:
                comparisons += changing.compare(case, peers, address, folder, rounds=rounds)
            elif case in ingest.CASES:
                comparisons += ingest.compare(peers, address, folder, rounds=rounds)
            elif case in served.CASES:
                comparisons += served.compare(address, folder, rounds=rounds)
            elif case in codecs.CASES:
                comparisons += codecs.compare(case, rounds=rounds)
            elif case in latency.CASES:
                seconds = arguments.seconds
                comparisons += latency.compare(
                    peers, address, folder, rounds=rounds, seconds=seconds
                )
            else:
                comparisons += startup.compare(peers, address, folder, rounds=rounds)
    return comparisons


if __name__ == "__main__":
    sys.exit(main())
