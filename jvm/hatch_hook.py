"""Hatchling's hook: a wheel carries the Java module, an editable install finds it in the clone."""

from __future__ import annotations

import runpy
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class JavaModuleHook(BuildHookInterface):
    """Builds the jar before files are collected; `artifacts` in pyproject.toml lets it in."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Called by hatchling for `version` "standard" and "editable"."""
        if self.target_name == "wheel":
            runpy.run_path(str(Path(self.root, "jvm", "build.py")))["build"]()
