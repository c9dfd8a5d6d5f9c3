"""Schemas of Protobuf at planning: where they are looked for, what they must have, what fits."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from penstock.catalog.catalog import Overrides
from penstock.errors import OptionError, SetupError, SqlError
from penstock.formats.protobuf_files import DescriptorError, find_message
from penstock.plan.script import plan_script
from penstock.sql.parse import parse
from tests.formats.protobuf_schemas import schema_of

if TYPE_CHECKING:
    from pathlib import Path


def _compile(folder: Path, *names: str, imports: bool = True) -> Path:
    target = folder / "set.desc"
    command = [
        *(sys.executable, "-m", "grpc_tools.protoc", f"--proto_path={folder}"),
        f"--descriptor_set_out={target}",
        *(["--include_imports"] if imports else []),
        *names,
    ]
    subprocess.run(command, check=True)
    return target


def _plan(columns: str, message: str, file: str, folder: Path | None = None) -> None:
    script = f"""CREATE TABLE t ({columns}) WITH (
        'connector' = 'kafka', 'topic' = 't', 'properties.bootstrap.servers' = 'x:1',
        'format' = 'protobuf', 'protobuf.message-name' = '{message}',
        'protobuf.descriptor-file' = '{file}'
    );"""
    overrides = Overrides(folders=(str(folder),) if folder else ())
    plan_script(parse(script), name="test", overrides=overrides)


@pytest.mark.parametrize(
    ("file", "name", "found"),
    [
        ("two", "penstock.two.Inner", "penstock.two.Inner"),
        ("two", "com.example.two.Twos$Inner", "penstock.two.Inner"),
        ("two", "com.example.two.Twos.Inner", "penstock.two.Inner"),
        ("two", "Inner", "penstock.two.Inner"),
        ("two", "com.example.two.Twos$Everything$Grouped", "penstock.two.Everything.Grouped"),
        ("three", "com.example.three.Everything", "penstock.three.Everything"),
        (
            "three",
            "com.example.three.Everything$Inner$Deeper",
            "penstock.three.Everything.Inner.Deeper",
        ),
        ("edition", "penstock.edition.Edition$Inner", "penstock.edition.Inner"),
    ],
)
def test_message_is_found_by_its_own_name_and_by_that_of_its_class(
    file: str, name: str, found: str
) -> None:
    assert find_message(str(schema_of(file)), name).full_name == found


def test_outer_class_steps_aside_for_a_message_of_the_name(tmp_path: Path) -> None:
    text = 'syntax = "proto3"; package p; message OrderItem {} message Other {}'
    (tmp_path / "order_item.proto").write_text(text)
    found = find_message(str(tmp_path / "order_item.proto"), "p.OrderItemOuterClass$Other")
    assert found.full_name == "p.Other"


def test_name_of_several_messages_must_be_whole(tmp_path: Path) -> None:
    text = 'syntax = "proto3"; message A { message X {} } message B { message X {} }'
    (tmp_path / "x.proto").write_text(text)
    with pytest.raises(DescriptorError, match=r"one of several messages .* A\.X, B\.X"):
        find_message(str(tmp_path / "x.proto"), "X")


def test_relative_path_begins_at_the_folder_of_the_script(tmp_path: Path) -> None:
    (tmp_path / "x.proto").write_text('syntax = "proto3"; message X { int32 a = 1; }')
    _plan("a INT", "X", "x.proto", tmp_path)
    with pytest.raises(OptionError, match=r"x\.proto cannot be read: No such file"):
        _plan("a INT", "X", "x.proto")


def test_changed_file_is_read_again(tmp_path: Path) -> None:
    file = tmp_path / "x.proto"
    file.write_text('syntax = "proto3"; message X { int32 a = 1; }')
    _plan("a INT", "X", "x.proto", tmp_path)
    file.write_text('syntax = "proto3"; message X { string b = 1; }')
    _plan("b STRING", "X", "x.proto", tmp_path)


def test_imports_of_a_proto_file_stand_in_its_folder(tmp_path: Path) -> None:
    (tmp_path / "a.proto").write_text('syntax = "proto3"; message A { int32 a = 1; }')
    text = 'syntax = "proto3"; import "a.proto"; message B { A a = 1; }'
    (tmp_path / "b.proto").write_text(text)
    _plan("a ROW<a INT>", "B", "b.proto", tmp_path)


def test_a_compiler_that_does_not_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("penstock.formats.protobuf_files._COMPILE_TIMEOUT_S", 0.001)
    (tmp_path / "x.proto").write_text('syntax = "proto3"; message X { int32 a = 1; }')
    with pytest.raises(OptionError, match=r"x\.proto was not compiled within .* beforehand"):
        _plan("a INT", "X", "x.proto", tmp_path)


def test_descriptor_set_without_its_imports_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.proto").write_text('syntax = "proto3"; message A { int32 a = 1; }')
    text = 'syntax = "proto3"; import "a.proto"; message B { A a = 1; }'
    (tmp_path / "b.proto").write_text(text)
    _compile(tmp_path, "b.proto", imports=False)
    with pytest.raises(OptionError, match=r"lacks the file 'a\.proto'.*--include_imports"):
        _plan("a ROW<a INT>", "B", "set.desc", tmp_path)


def test_descriptor_set_needs_no_imports_of_google(tmp_path: Path) -> None:
    text = """syntax = "proto3"; import "google/protobuf/timestamp.proto";
        message B { google.protobuf.Timestamp at = 1; }"""
    (tmp_path / "b.proto").write_text(text)
    _compile(tmp_path, "b.proto", imports=False)
    _plan("`at` ROW<seconds BIGINT, nanos INT>", "B", "set.desc", tmp_path)


def test_file_that_is_no_descriptor_set(tmp_path: Path) -> None:
    (tmp_path / "x.desc").write_bytes(b"\xff\xff\xff")
    with pytest.raises(OptionError, match=r"x\.desc is no descriptor set.*descriptor_set_out"):
        _plan("a INT", "X", "x.desc", tmp_path)


def test_proto_file_with_a_mistake(tmp_path: Path) -> None:
    (tmp_path / "x.proto").write_text('syntax = "proto3";\nmessage X { int33 a = 1; }')
    with pytest.raises(OptionError, match=r"cannot be compiled.*x\.proto:2:13.*int33"):
        _plan("a INT", "X", "x.proto", tmp_path)


def test_library_that_is_not_installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "x.proto").write_text('syntax = "proto3"; message X { int32 a = 1; }')
    monkeypatch.setitem(sys.modules, "google.protobuf.descriptor_pb2", None)
    with pytest.raises(SetupError, match=r"needs the Python package protobuf.*penstock\[protobuf"):
        _plan("a INT", "X", "x.proto", tmp_path)


def test_compiler_that_is_not_installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "x.proto").write_text('syntax = "proto3"; message X { int32 a = 1; }')
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(SetupError, match=r"needs the Python package grpcio-tools"):
        _plan("a INT", "X", "x.proto", tmp_path)


_MISMATCHES = [
    ("i32 BIGINT", "INT(protobuf) is not compatible with BIGINT"),
    ("u32 BIGINT", "INT(protobuf) is not compatible with BIGINT"),
    ("i64 INT", "LONG(protobuf) is not compatible with INTEGER"),
    ("u64 DECIMAL(20, 0)", "LONG(protobuf) is not compatible with DECIMAL"),
    ("flo DOUBLE", "FLOAT(protobuf) is not compatible with DOUBLE"),
    ("dou FLOAT", "DOUBLE(protobuf) is not compatible with FLOAT"),
    ("boo STRING", "BOOLEAN(protobuf) is not compatible with VARCHAR"),
    ("str BYTES", "STRING(protobuf) is not compatible with VARBINARY"),
    ("byt STRING", "BYTE_STRING(protobuf) is not compatible with VARCHAR"),
    ("color DOUBLE", "ENUM(protobuf) is not compatible with DOUBLE"),
    ("str TIMESTAMP(3)", "not compatible with TIMESTAMP_WITHOUT_TIME_ZONE"),
    ("str TIMESTAMP_LTZ(3)", "not compatible with TIMESTAMP_WITH_LOCAL_TIME_ZONE"),
    ("str DATE", "not compatible with DATE"),
    ("inner STRING", "Unexpected LogicalType: STRING. It should be RowType"),
    ("inner ROW<c INT>", "Column c does not exist in definition of proto class."),
    ("inner ROW<a STRING>", "INT(protobuf) is not compatible with VARCHAR"),
    ("numbers INT", "Unexpected LogicalType: INT. It should be ArrayType"),
    ("numbers ARRAY<STRING>", "INT(protobuf) is not compatible with VARCHAR"),
    ("inners ARRAY<INT>", "Unexpected LogicalType: INT. It should be RowType"),
    ("counts MULTISET<STRING>", "It should be MapType"),
    ("counts MAP<INT, BIGINT>", "STRING(protobuf) is not compatible with INTEGER"),
    ("counts MAP<STRING, INT>", "LONG(protobuf) is not compatible with INTEGER"),
    ("children MAP<INT, ROW<c INT>>", "Column c does not exist in definition of proto class."),
    ("I32 INT", "Column I32 does not exist in definition of proto class."),
]


@pytest.mark.parametrize(("columns", "problem"), _MISMATCHES)
def test_column_that_does_not_fit_its_field(columns: str, problem: str) -> None:
    with pytest.raises(SqlError) as caught:
        _plan(columns, "penstock.two.Everything", str(schema_of("two")))
    assert caught.value.code == "PROTOBUF_MISMATCH"
    assert problem in str(caught.value)
    assert caught.value.span
