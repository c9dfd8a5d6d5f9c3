"""The `protobuf` format."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from penstock.errors import OptionError
from penstock.formats.base import SKIP, Format
from penstock.formats.protobuf_fields import Description
from penstock.formats.protobuf_files import DescriptorError, find_message, is_proto3
from penstock.model.option import Option, boolean, text

if TYPE_CHECKING:
    from collections.abc import Mapping

    from google.protobuf.descriptor import Descriptor

    from penstock.model.types import DataType, Fields

_FILE = "descriptor-file"
_NAMES = ("message-name", "message-class-name")


@dataclass(frozen=True, slots=True)
class Protobuf(Format):
    """One Protobuf message in each Kafka message, its fields by the names of the columns."""

    name = "protobuf"
    IS_TEXT = False
    DECODE = "penstock_protobuf_decode"
    ENCODE = "penstock_protobuf_encode"
    OPTIONS = (
        Option(
            "message-class-name",
            text,
            None,
            "The message type, by the name of its Java class or its own; this or `message-name`.",
        ),
        Option("message-name", text, None, "The message type, by its full name in the schema."),
        Option(
            _FILE,
            text,
            None,
            "The schema: a descriptor set (`protoc --include_imports --descriptor_set_out`) or a "
            "`.proto` file. A relative path begins at the script's folder.",
            required=True,
        ),
        Option(
            SKIP,
            boolean,
            False,
            "A message that cannot be read is skipped.",
            "Boolean",
        ),
        Option(
            "read-default-values",
            boolean,
            False,
            "A field that a message does not have is read as its default value, not as NULL.",
            "Boolean",
        ),
        Option(
            "write-null-string-literal",
            text,
            "",
            "The text written for a NULL inside of an ARRAY or a MAP.",
        ),
    )

    def located(self, folders: tuple[str, ...]) -> Protobuf:
        """With the whole path of the schema."""
        given = Path(str(self.option(_FILE)))
        found = next((p for f in folders if (p := Path(f, given)).is_file()), given.absolute())
        return replace(self, options=tuple({**dict(self.options), _FILE: str(found)}.items()))

    def check(self, table: str) -> None:
        """There must be a schema, and the message in it."""
        try:
            self._message()
        except DescriptorError as error:
            raise OptionError(
                "REFUSED_OPTION", table=table, problem=error.problem, instead=error.instead
            ) from error

    def check_types(self, fields: tuple[tuple[str, DataType], ...]) -> None:
        """Every column has a field of its name and kind."""
        self._description().message(self._message(), fields)

    def told(self, fields: Fields) -> Mapping[str, object]:
        """What of the schema concerns the columns; where it stands is of no concern."""
        own = {key: value for key, value in self.options if key not in (*_NAMES, _FILE)}
        message = self._description().message(self._message(), fields)
        return {**own, "message": json.dumps(message, ensure_ascii=False)}

    def _description(self) -> Description:
        """As Flink: the file of the message decides for those inside of it, too."""
        asked = bool(self.option("read-default-values"))
        return Description(scalars=asked or is_proto3(self._message()), all_kinds=asked)

    def _message(self) -> Descriptor:
        names = [str(name) for key in _NAMES if (name := self.option(key)) is not None]
        if not names:
            raise DescriptorError(
                f"The 'protobuf' format lacks the option '{self.option_name(_NAMES[1])}'.",
                f"Name the message type, with it or with '{self.option_name(_NAMES[0])}'.",
            )
        return find_message(str(self.option(_FILE)), names[0])
