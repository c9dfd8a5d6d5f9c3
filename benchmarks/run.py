"""`make bench`: Penstock beside the same jobs written by hand in PySpark, in one run.

Each measurement is a whole process, from its start to its end, on a fresh output topic. The two are
interleaved, and the ratio of their medians is what counts: machines are shared and noisy.
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks import topics

HERE = Path(__file__).parent
CASES = ("pass_through", "filter")
EXPECTED = {"pass_through": topics.ROWS, "filter": topics.ROWS // 4}


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--cases", nargs="*", default=CASES)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="penstock-bench-") as folder:
        address = topics.start_broker(Path(folder, "broker"))
        topics.fill(address)
        print(f"{topics.ROWS:,} JSON rows, Kafka to Kafka; seconds: median (min–max)\n")
        print(f"{'case':14} {'penstock':>22} {'PySpark by hand':>22} {'ratio':>7}")
        for case in arguments.cases:
            _compare(case, address, Path(folder), rounds=arguments.rounds)


def _compare(case: str, address: str, folder: Path, *, rounds: int) -> None:
    times: dict[str, list[float]] = {"penstock": [], "by_hand": []}
    for number in range(rounds):
        for side in times if number % 2 == 0 else reversed(list(times)):
            topic = f"{case}_{side}_{number}"
            topics.fresh_topic(address, topic)
            began = time.monotonic()
            subprocess.run(
                _command(side, case, address, topic, folder / topic),
                check=True,
                stderr=subprocess.PIPE,
            )
            times[side].append(time.monotonic() - began)
            found = topics.count(address, topic)
            if found != EXPECTED[case]:
                raise SystemExit(f"{topic} has {found} rows, expected {EXPECTED[case]}")
    ours, theirs = times["penstock"], times["by_hand"]
    ratio = statistics.median(ours) / statistics.median(theirs)
    print(f"{case:14} {_shown(ours):>22} {_shown(theirs):>22} {ratio:7.2f}", flush=True)


def _command(side: str, case: str, address: str, topic: str, state: Path) -> list[str]:
    if side == "by_hand":
        script = str(HERE / "by_hand.py")
        return [sys.executable, script, case, address, topic, str(state / "checkpoint")]
    penstock = str(Path(sys.executable).with_name("penstock"))
    script = str(HERE / "sql" / f"{case}.sql")
    options = ["--drain", "--bootstrap", address, "--var", f"output={topic}"]
    return [penstock, "run", script, *options, "--set", f"penstock.state.dir={state}"]


def _shown(times: list[float]) -> str:
    return f"{statistics.median(times):.1f} ({min(times):.1f}–{max(times):.1f})"


if __name__ == "__main__":
    main()
