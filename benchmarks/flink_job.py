"""One script on Flink SQL, to its end; run by the Python of Flink's own virtualenv.

    flink_job.py SCRIPT CONNECTOR_JAR [--var NAME=VALUE]… [--set KEY=VALUE]…

A local cluster in this process, Flink's default settings but for those given.
"""

from __future__ import annotations

import argparse
import re
from pathlib import Path
from string import Template

_SET = re.compile(r"SET\s+'([^']+)'\s*=\s*'([^']*)'$", re.IGNORECASE)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("script", type=Path)
    parser.add_argument("connector", type=Path)
    parser.add_argument("--var", action="append", default=[])
    parser.add_argument("--set", action="append", default=[])
    arguments = parser.parse_args()
    text = Template(arguments.script.read_text()).substitute(_pairs(arguments.var))
    settings = {**_pairs(arguments.set), "pipeline.jars": arguments.connector.as_uri()}
    run(text, settings)


def run(text: str, settings: dict[str, str]) -> None:
    from pyflink.table import (  # type: ignore[import-not-found]
        EnvironmentSettings,
        TableEnvironment,
    )

    environment = TableEnvironment.create(EnvironmentSettings.in_streaming_mode())
    for key, value in settings.items():
        environment.get_config().set(key, value)
    for statement in filter(None, map(str.strip, text.split(";"))):
        if given := _SET.match(statement):
            environment.get_config().set(given[1], given[2])
        else:
            result = environment.execute_sql(statement)
    result.wait()


def _pairs(words: list[str]) -> dict[str, str]:
    return dict(word.split("=", 1) for word in words)


if __name__ == "__main__":
    main()
