"""Jars that are not here yet are fetched where the user can see it, before anything starts."""

from __future__ import annotations

from penstock.jars.fetch import jars
from penstock.jars.progress import Display

_TITLES = {
    "spark": "Fetching Spark's Kafka connector",
    "delta": "Fetching Delta Lake",
    "broker": "Fetching Kafka",
}


def fetch_jars(*configurations: str) -> None:
    """Fetch what is missing; silent and immediate when nothing is."""
    for configuration in configurations:
        with Display(_TITLES[configuration]) as progress:
            jars(configuration, progress=progress)
