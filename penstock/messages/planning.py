"""Errors of the plan: names, types and queries that cannot be run."""

from __future__ import annotations

from penstock.messages.base import Message

PLAN = {
    "UNKNOWN_TABLE": Message(
        "PlanError",
        "There is no table or view `{table}`.{did_you_mean}",
        "Known so far: {known}.",
    ),
    "UNUSABLE_TABLE": Message(
        "PlanError",
        "Table or view `{table}` of the warehouse cannot be used as it is: {why}",
        "Mend that, or DROP `{table}` and create it anew.",
    ),
    "UNKNOWN_COLUMN": Message(
        "PlanError", "There is no column `{column}`.{did_you_mean}", "Columns here: {known}."
    ),
    "BROKEN_TABLE": Message(
        "PlanError", "Table or view `{table}` could not be created.", "Its own mistake comes first."
    ),
    "BROKEN_FUNCTION": Message(
        "PlanError", "Function {function} could not be created.", "Its own mistake comes first."
    ),
    "INVALID_FUNCTION": Message(
        "PlanError", "Function `{name}`, '{implementation}': {problem}", "{instead}"
    ),
    "UNKNOWN_DATABASE": Message(
        "PlanError", "There is no {kind} `{name}`.", "Known so far: {known}."
    ),
    "INVALID_DATABASE": Message("PlanError", "{problem}", "{instead}"),
    "INVALID_ALTER": Message("PlanError", "ALTER TABLE `{table}` cannot be done: {problem}"),
    "TABLE_EXISTS": Message(
        "PlanError",
        "Table or view `{table}` exists already.",
        "Use another name, or CREATE TABLE IF NOT EXISTS.",
    ),
    "NOT_DETACHED": Message(
        "PlanError",
        "Table or view `{table}` exists already: it is not detached.",
        "Write ATTACH TABLE IF NOT EXISTS, if it may be there.",
    ),
    "UNSUPPORTED_QUERY": Message("PlanError", "{feature} is not supported.", "{instead}"),
    "UNSUPPORTED_FUNCTION": Message(
        "PlanError",
        "The function {function} is not supported.{did_you_mean}",
        "{instead}",
    ),
    "INSERT_COLUMN_COUNT": Message(
        "PlanError",
        "The query gives {found} columns, table `{table}` takes {expected}.",
        "Query: [{query_columns}]. Table: [{table_columns}].",
    ),
    "INSERT_TYPE_MISMATCH": Message(
        "PlanError",
        "Column {position} of the query, `{column}`, is {found}; column `{target}` of table "
        "`{table}` is {expected}.",
        "Convert it with CAST({column} AS {expected}).",
    ),
    "INVALID_QUERY": Message("PlanError", "{problem}", "{instead}"),
    "READ_ONLY_COLUMN": Message(
        "PlanError",
        "Invalid metadata key '{key}' in column `{column}` of table `{table}`: it cannot be "
        "written.",
        "Declare it as METADATA FROM '{key}' VIRTUAL to leave it out of INSERT INTO. Metadata keys "
        "for writing: {supported}.",
    ),
    "INVALID_METADATA_TYPE": Message(
        "PlanError",
        "Invalid data type for metadata column `{column}` of table `{table}`. The column cannot be "
        "declared as {declared} because the type must be {must_be} metadata type {type}.",
        "Declare it as {type}, and convert it in a computed column or in the query.",
    ),
    "NOT_A_SOURCE": Message(
        "PlanError",
        "Table `{table}` cannot be read: connector '{connector}' can only be used as a sink.",
        "{instead}",
    ),
    "NOT_A_SINK": Message(
        "PlanError",
        "Table `{table}` cannot be written: connector '{connector}' can only be used as a source.",
    ),
    "FORMAT_NOT_WRITTEN": Message(
        "PlanError",
        "Format {format} is not suitable for output.",
        "Write the table in another format, such as JSONEachRow.",
    ),
    "SINK_NEEDS_ONE_TOPIC": Message(
        "PlanError",
        "Table `{table}` cannot be written: it names several topics.",
        "Give the sink a table with one topic.",
    ),
    "UNCASTABLE": Message(
        "PlanError", "A value of type {found} cannot be converted to {expected}.", "{instead}"
    ),
    "UNSUPPORTED_EXPRESSION": Message(
        "PlanError", "The expression `{expression}` is not supported.", "{instead}"
    ),
    "UNSUPPORTED_JSON_PATH": Message(
        "PlanError", "The JSON path `{path}` is not supported.", "{problem}"
    ),
    "INVALID_TIME_PATTERN": Message(
        "PlanError", "The pattern `{pattern}` of a date or time is invalid.", "{problem}"
    ),
    "UNKNOWN_TIME_ZONE": Message(
        "PlanError",
        "There is no time zone `{zone}`.",
        "Write a name such as Europe/Berlin, or an offset such as +02:00.",
    ),
    "WRONG_ARGUMENTS": Message(
        "PlanError", "{function} cannot take ({found}).", "It takes {expected}."
    ),
    "AMBIGUOUS_COLUMN": Message(
        "PlanError", "The column `{column}` stands in several inputs.", "Write one of: {choices}."
    ),
    "SINK_CANNOT_UPDATE": Message(
        "PlanError",
        "Table sink `{table}` doesn't support consuming {changes} changes which is produced by "
        "node {node}.",
        "Write to a table that takes updates: 'upsert-kafka' with a PRIMARY KEY, a Kafka table of "
        "the format 'debezium-json', or 'print'; or group by a window.",
    ),
    "UNBOUNDED_IN_BATCH": Message(
        "PlanError",
        "Querying an unbounded table `{table}` in batch mode is not allowed. The table source is "
        "unbounded.",
        "Bound it with 'scan.bounded.mode', or leave 'execution.runtime-mode' at 'streaming'.",
    ),
    "NOT_REAL_TIME": Message(
        "PlanError",
        "The query {query} cannot run with 'penstock.latency' = 'real-time': {reason}.",
        "Change that, or SET 'penstock.latency' = 'micro-batch' before this query.",
    ),
    "NEEDS_CHANGELOG_ENGINE": Message(
        "PlanError",
        "Query {query} cannot run as an unbounded stream in this version, which has no {step} for "
        "it: {reason}.",
        "`penstock explain` shows its plan. Over bounded tables it runs as a batch.",
    ),
    "NOT_GROUPED": Message(
        "PlanError",
        "The column `{column}` is neither in GROUP BY nor inside an aggregate function.",
        "Add it to GROUP BY, or aggregate it.",
    ),
    "NO_DIRECT_SELECT": Message(
        "PlanError",
        "Direct select is not allowed: `{table}` is a Kafka table.",
        "To enable use setting `{setting}`, or read the table through a materialized view.",
    ),
    "VIEW_ATTACHED": Message(
        "PlanError",
        "Cannot read from StorageKafka with attached materialized views: `{view}` reads `{table}`.",
        "DETACH or DROP the view first.",
    ),
    "DECLARED_OTHERWISE": Message(
        "PlanError",
        "`{table}` is in the warehouse {warehouse} already, and was declared otherwise.",
        "ALTER or DROP it there, write CREATE … IF NOT EXISTS, or choose another warehouse with "
        "SET penstock.warehouse = '…'.",
    ),
    "NOTHING_TO_RUN": Message(
        "PlanError",
        "The script defines {count} tables but has no INSERT INTO statement.",
        "Add an `INSERT INTO sink SELECT … FROM source`, or use `penstock check`.",
    ),
}
