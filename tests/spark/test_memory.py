"""How much memory state may have."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from penstock.errors import OptionError
from penstock.plan.settings import check_setting
from penstock.spark.memory import default_state_memory_mb
from penstock.spark.session import session_settings

if TYPE_CHECKING:
    from pathlib import Path

    from pyspark.sql import SparkSession

_MOST = "spark.sql.streaming.stateStore.rocksdb.maxMemoryUsageMB"


def test_it_follows_the_container(tmp_path: Path) -> None:
    limit = tmp_path / "memory.max"
    whole = default_state_memory_mb((limit,))
    assert 256 <= whole <= 2048
    for text, expected in [("max", whole), (str(4 * 1024**3), 512), (str(64 * 1024**2), 256)]:
        limit.write_text(f"{text}\n")
        assert default_state_memory_mb((limit,)) == expected


def test_the_setting_wins() -> None:
    assert session_settings({"penstock.state.memory": "2 gb"})[_MOST] == "2048"
    assert session_settings({"penstock.state.memory": "300mb"})[_MOST] == "300"
    assert _MOST not in session_settings({})
    for wrong in ("0 mb", "much", "512"):
        with pytest.raises(OptionError, match="a size such as '512 mb'"):
            check_setting("penstock.state.memory", wrong, None)


@pytest.mark.spark
def test_a_session_has_a_limit(spark: SparkSession) -> None:
    assert spark.conf.get(_MOST) == str(default_state_memory_mb())
    bounded = spark.conf.get("spark.sql.streaming.stateStore.rocksdb.boundedMemoryUsage")
    assert bounded == "true"


@pytest.mark.spark
def test_the_parser_forgets(spark: SparkSession) -> None:
    assert spark.conf.get("spark.sql.parser.manageParserCaches") == "true"
    assert float(spark.conf.get("spark.sql.parser.parserDfaCacheFlushRatio") or 0) == 10
