"""Errors of the script: its text, its options and settings."""

from __future__ import annotations

from penstock.messages.base import Message

SQL = {
    "SYNTAX_ERROR": Message("SqlError", "{problem}", "{dialect_note}"),
    "UNSUPPORTED_STATEMENT": Message(
        "SqlError",
        "The statement `{statement}` is not supported.",
        "Supported statements: {supported}.",
    ),
    "REFUSED_STATEMENT": Message("SqlError", "{statement} is not supported.", "{reason}"),
    "UNKNOWN_DIALECT": Message(
        "SqlError", "There is no dialect `{dialect}`.{did_you_mean}", "Dialects: {known}."
    ),
    "UNSUPPORTED_CLAUSE": Message("SqlError", "{clause} is not supported here.", "{instead}"),
    "CLAUSE_OF_MERGE_TREE": Message(
        "SqlError",
        "Engine {engine} doesn't support {clause}.",
        "Leave it out, or choose an engine of the MergeTree family.",
    ),
    "SEVERAL_RAW_COLUMNS": Message(
        "SqlError",
        "The 'raw' format only supports single physical column. However the defined schema "
        "contains multiple physical columns: [{columns}]",
        "Leave one of them in the value or the key: 'key.fields', or the PRIMARY KEY of "
        "'upsert-kafka', and 'value.fields-include' say where a column goes. Metadata and computed "
        "columns do not count.",
    ),
    "PROTOBUF_MISMATCH": Message("SqlError", "{problem}", "{instead}"),
    "UNSUPPORTED_TYPE": Message(
        "SqlError", "Column `{column}` has the type {type}, which is not supported.", "{instead}"
    ),
    "RESERVED_NAME": Message(
        "SqlError",
        "Table `{table}` names a column `{column}`: names that begin with `__` are Penstock's own.",
        "Give the column another name.",
    ),
    "DUPLICATE_COLUMN": Message(
        "SqlError", "Table `{table}` declares the column `{column}` twice."
    ),
    "UNDEFINED_VARIABLE": Message(
        "SqlError",
        "The script uses `${{{name}}}`, which has no value.",
        "Give it one with `--var {name}=…`.",
    ),
    "TOO_DEEP": Message(
        "SqlError",
        "The script nests its expressions or queries too deeply.",
        "Split it with views, or write the levels side by side.",
    ),
    "EMPTY_SCRIPT": Message("SqlError", "The script has no statement."),
}

OPTIONS = {
    "UNKNOWN_OPTION": Message(
        "OptionError",
        "Table `{table}` has the unknown option '{option}'.{did_you_mean}",
        "Supported options: {supported}.",
    ),
    "MISSING_OPTION": Message(
        "OptionError",
        "Table `{table}` lacks the required option '{option}'.",
        "{instead}",
    ),
    "INVALID_OPTION_VALUE": Message(
        "OptionError",
        "Table `{table}` sets '{option}' to '{value}', which is not valid.",
        "Allowed: {expected}.",
    ),
    "UNKNOWN_CREDENTIALS": Message(
        "OptionError",
        "Table `{table}` names the credentials '{name}', which {file} does not have.{did_you_mean}",
        "It has: {known}.",
    ),
    "INVALID_CREDENTIALS": Message(
        "OptionError",
        "Table `{table}` names the credentials '{name}', which {problem}.",
        "{instead}",
    ),
    "CREDENTIALS_FILE_MISSING": Message(
        "OptionError",
        "Table `{table}` names the credentials '{name}', but {file} cannot be read: {reason}.",
        "Create it, or name another with `--credentials FILE` or PENSTOCK_CREDENTIALS.",
    ),
    "CREDENTIALS_FILE_EXPOSED": Message(
        "OptionError",
        "The credentials file {file} {problem}; only its user may be able to read it.",
        "Run `{command}`.",
    ),
    "CREDENTIALS_FILE_INVALID": Message(
        "OptionError",
        "The credentials file {file} cannot be understood: {reason}.",
        "Write sections `[name]` with lines `key = value`.",
    ),
    "CONFLICTING_OPTIONS": Message("OptionError", "Table `{table}`: {conflict}", "{instead}"),
    "REFUSED_OPTION": Message("OptionError", "Table `{table}`: {problem}", "{instead}"),
    "UNKNOWN_CONNECTOR": Message(
        "OptionError",
        "Table `{table}` names the connector '{connector}', which does not exist here."
        "{did_you_mean}",
        "Supported connectors: {supported}. A table of a foreign system can be bound to a file "
        "with `--bind {table}=FILE`.",
    ),
    "UNKNOWN_ENGINE": Message(
        "OptionError",
        "Unknown table engine {engine}: table `{table}`.{did_you_mean}",
        "Supported engines: {supported}; those of the MergeTree family also with Replicated and "
        "Shared before their names. A table of a foreign system can be bound to a file with "
        "`--bind {table}=FILE`.",
    ),
    "UNKNOWN_FORMAT": Message(
        "OptionError",
        "Table `{table}` names the format '{format}', which does not exist here.{did_you_mean}",
        "Supported formats: {supported}.",
    ),
    "UNKNOWN_METADATA": Message(
        "OptionError",
        "Invalid metadata key '{key}' in column `{column}` of table `{table}`.",
        "The connector '{connector}' supports these metadata keys for {purpose}: {supported}.",
    ),
    "NAMED_COLLECTION": Message(
        "OptionError",
        "Table `{table}` takes its settings from the collection `{collection}`, which is not "
        "there. Named collections: {known}.",
        "Write CREATE NAMED COLLECTION {collection} AS … before it, or its settings into the "
        "statement.",
    ),
    "INVALID_SETTING": Message(
        "OptionError", "The setting '{key}' cannot be '{value}'.", "Allowed: {expected}."
    ),
    "UNSUPPORTED_SETTING": Message(
        "OptionError", "ClickHouse's setting '{key}' = '{value}' is not supported.", "{instead}"
    ),
    "UNKNOWN_SETTING": Message(
        "OptionError",
        "There is no setting '{key}'.{did_you_mean}",
        "Settings: {known}, and Spark's own, which begin with 'spark.'.",
    ),
    "INVALID_ARGUMENT": Message("OptionError", "`{argument}` is not valid.", "{expected}"),
    "UNKNOWN_JOB": Message(
        "OptionError",
        "No job '{job}' has run in {folder}.",
        "Jobs there: {known}. Name another folder with --state-dir.",
    ),
    "UNKNOWN_WAREHOUSE": Message(
        "OptionError",
        "There is no warehouse in {folder}.",
        "Name its folder; `penstock run` makes it in `.penstock/warehouse.d` beside the script.",
    ),
    "UNKNOWN_QUERY": Message(
        "OptionError", "The job '{job}' keeps nothing of a query '{query}'.", "Queries: {known}."
    ),
    "NO_DEAD_LETTERS": Message(
        "OptionError",
        "No query of {script} reads a table with a topic of dead letters.",
        "Set 'scan.deser.failure-handler' = 'kafka', or name the topic with --topic.",
    ),
    "UNKNOWN_LETTER": Message(
        "OptionError",
        "There is no dead letter of {place}.",
        "`penstock dead-letters list` shows all; a place is TOPIC/PARTITION/OFFSET.",
    ),
    "UNKNOWN_BINDING": Message(
        "OptionError",
        "`--bind` names the table `{table}`, which the script does not create.",
        "Tables of the script: {tables}.",
    ),
}
