"""The wording of every error, by code.

`errors.py` turns a code and named facts into an exception. Codes are stable; sentences may improve.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from penstock.messages.environment import KAFKA, SETUP
from penstock.messages.planning import PLAN
from penstock.messages.running import DATA, RUN
from penstock.messages.script import OPTIONS, SQL

if TYPE_CHECKING:
    from penstock.messages.base import Message

MESSAGES: dict[str, Message] = {**SQL, **OPTIONS, **PLAN, **SETUP, **KAFKA, **DATA, **RUN}
