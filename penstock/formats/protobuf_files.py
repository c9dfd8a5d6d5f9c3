"""Protobuf schemas: a descriptor set or a `.proto` file in, the descriptor of a message out."""

from __future__ import annotations

import importlib
import importlib.util
import os
import re
import shutil
import subprocess
import sys
import tempfile
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from penstock.errors import SetupError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from types import ModuleType

    from google.protobuf.descriptor import Descriptor, FileDescriptor
    from google.protobuf.descriptor_pb2 import FileDescriptorProto
    from google.protobuf.descriptor_pool import DescriptorPool

_COMPILE_TIMEOUT_S = 60  # a large tree of files takes a second
_SHOWN_NAMES = 20
_WELL_KNOWN = "google/protobuf/"


class DescriptorError(Exception):
    """A schema that cannot be read or lacks the message: what is wrong and what to do."""

    def __init__(self, problem: str, instead: str) -> None:
        self.problem = problem
        self.instead = instead
        super().__init__(f"{problem} {instead}")


def find_message(path: str, name: str) -> Descriptor:
    """The message type of this name: the schema's own, that of a Java class, or its last part."""
    messages = _messages(path)
    wanted = name.replace("$", ".")
    exact = [m for m in messages if wanted in (m.full_name, _java_name(m))]
    simple = [m for m in messages if m.name == wanted]
    found = exact[:1] or simple
    if len(found) == 1:
        return found[0]
    known = sorted(message.full_name for message in found or messages)
    shown = ", ".join(known[:_SHOWN_NAMES]) + (" …" if len(known) > _SHOWN_NAMES else "")
    raise DescriptorError(
        f"'{name}' may be one of several messages of {path}."
        if found
        else f"{path} has no message '{name}'.",
        f"Name one of these: {shown}." if known else "The file has no messages at all.",
    )


def is_proto3(message: Descriptor) -> bool:
    """Whether the file of a message says so."""
    return bool(_proto_of(message.file).syntax == "proto3")


def _proto_of(file: FileDescriptor) -> FileDescriptorProto:
    copy: FileDescriptorProto = _library("google.protobuf.descriptor_pb2").FileDescriptorProto()
    file.CopyToProto(copy)
    return copy


def _messages(path: str) -> tuple[Descriptor, ...]:
    try:
        with Path(path).open("rb") as file:
            facts = os.fstat(file.fileno())
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise DescriptorError(
            f"The descriptor file {path} cannot be read: {reason}.",
            "Give its path from the script's folder on, or the whole path.",
        ) from error
    return _loaded(path, facts.st_mtime_ns, facts.st_size)


@lru_cache(maxsize=32)
def _loaded(path: str, modified_ns: int, size: int) -> tuple[Descriptor, ...]:
    """Cached as long as the file stays the same; its time and size are there for that only."""
    content = _compiled(Path(path)) if path.endswith(".proto") else Path(path).read_bytes()
    descriptors = _library("google.protobuf.descriptor_pb2")
    message_errors = _library("google.protobuf.message")
    try:
        files = descriptors.FileDescriptorSet.FromString(content).file
    except message_errors.DecodeError as error:
        raise DescriptorError(
            f"{path} is no descriptor set: {error}.",
            "Write one with `protoc --include_imports --descriptor_set_out=FILE`.",
        ) from error
    return tuple(_all(_pool(path, files), [file.name for file in files]))


def _pool(path: str, files: Iterable[FileDescriptorProto]) -> DescriptorPool:
    """The files in a pool of their own: schemas of two tables may use the same names."""
    pool = _library("google.protobuf.descriptor_pool").DescriptorPool()
    pending = {file.name: file for file in files}

    def add(name: str) -> None:
        file = pending.pop(name, None)
        if file is None:
            return
        for needed in file.dependency:
            add(needed)
        pool.Add(file)

    while missing := _missing(pending):
        pending.update((name, _well_known(path, name)) for name in missing)
    try:
        for name in list(pending):
            add(name)
    except (TypeError, KeyError) as error:
        raise DescriptorError(
            f"{path} is not a complete schema: {error}.",
            "Write it with `protoc --include_imports`.",
        ) from error
    return pool


def _missing(files: dict[str, FileDescriptorProto]) -> list[str]:
    needed = {name for file in files.values() for name in file.dependency}
    return sorted(needed - files.keys())


def _well_known(path: str, name: str) -> FileDescriptorProto:
    """Google's own files need not be in a set: they come with the library."""
    module = name.removesuffix(".proto").replace("/", ".") + "_pb2"
    if name.startswith(_WELL_KNOWN) and importlib.util.find_spec(module):
        return _proto_of(importlib.import_module(module).DESCRIPTOR)
    raise DescriptorError(
        f"{path} lacks the file '{name}', which others in it import.",
        "Write it with `protoc --include_imports`.",
    )


def _all(pool: DescriptorPool, names: list[str]) -> Iterator[Descriptor]:
    for name in names:
        for message in pool.FindFileByName(name).message_types_by_name.values():
            yield from _with_nested(message)


def _with_nested(message: Descriptor) -> Iterator[Descriptor]:
    if not message.GetOptions().map_entry:
        yield message
    for nested in message.nested_types:
        yield from _with_nested(nested)


def _java_name(message: Descriptor) -> str:
    """The full name of the class that Java has for a message, with dots for `$`."""
    if message.containing_type is not None:
        return f"{_java_name(message.containing_type)}.{message.name}"
    options = message.file.GetOptions()
    parts = [options.java_package if options.HasField("java_package") else message.file.package]
    if not options.java_multiple_files:
        parts.append(options.java_outer_classname or _outer_class(message))
    return ".".join(filter(None, [*parts, message.name]))


def _outer_class(message: Descriptor) -> str:
    """The file's name in camel case, set apart from a message or enumeration of that name."""
    file = message.file
    words = re.findall(r"[A-Za-z]+|\d+", Path(file.name).stem)
    name = "".join(word[0].upper() + word[1:] for word in words)
    taken = {*file.message_types_by_name, *file.enum_types_by_name, *file.services_by_name}
    return f"{name}OuterClass" if name in taken else name


def _compiled(path: Path) -> bytes:
    """The descriptor set of a `.proto` file and of what it imports from its folder."""
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder, "set.desc")
        command = [
            *_compiler(),
            f"--proto_path={path.parent}",
            "--include_imports",
            f"--descriptor_set_out={target}",
            str(path),
        ]
        try:
            done = subprocess.run(
                command, capture_output=True, text=True, timeout=_COMPILE_TIMEOUT_S, check=False
            )
        except subprocess.TimeoutExpired as error:
            raise DescriptorError(
                f"{path} was not compiled within {_COMPILE_TIMEOUT_S} seconds.",
                "Compile it beforehand: `protoc --include_imports --descriptor_set_out=FILE`.",
            ) from error
        if done.returncode != 0:
            raise DescriptorError(
                f"{path} cannot be compiled: {done.stderr.strip()}",
                "What it imports must stand in its folder.",
            )
        return target.read_bytes()


def _compiler() -> list[str]:
    if importlib.util.find_spec("grpc_tools"):
        return [sys.executable, "-m", "grpc_tools.protoc"]
    found = shutil.which("protoc")
    if found is None:
        raise SetupError("LIBRARY_MISSING", package="grpcio-tools", purpose="`.proto` files")
    return [found]


def _library(module: str) -> ModuleType:
    """A module of the extra, imported when it is needed."""
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise SetupError(
            "LIBRARY_MISSING", package="protobuf", purpose="the `protobuf` format"
        ) from error
