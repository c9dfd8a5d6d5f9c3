"""Errors of a job that runs: its messages and rows, its state, Spark."""

from __future__ import annotations

from penstock.messages.base import Message

DATA = {
    "BAD_MESSAGE": Message(
        "DataError",
        "A message of topic '{topic}' (partition {partition}, offset {offset}) cannot be read: "
        "{reason}{field_note}. It begins: {excerpt}",
        "Nothing was skipped: the job meets it again when it is started again. To skip such "
        "messages set {skip}; to keep them elsewhere, "
        "'scan.deser.failure-handler' = 'kafka'; for ClickHouse's tables, "
        "'kafka_skip_broken_messages' and 'kafka_handle_error_mode'.",
    ),
    "BAD_LINE": Message(
        "DataError",
        "A line of the file {topic} cannot be read: {reason}{field_note}. It begins: {excerpt}",
        "Correct the line.",
    ),
    "BAD_ROW": Message(
        "DataError",
        "A row cannot be written: {reason}{field_note}.",
        "Correct the query or the option named.",
    ),
    "BAD_RECORD": Message(
        "DataError",
        "The query {query} cannot write a row to table `{table}`: {reason}",
        "Correct the query, or the options of the table.",
    ),
    "MESSAGES_GONE": Message(
        "DataError",
        "The query {query} was to go on at offset {wanted} of partition {partition} of topic "
        "'{topic}', which begins at {earliest} now: what lies between is gone.",
        "Keep messages longer with the topic's 'retention.ms'. To go on with what is left, SET "
        "'penstock.on-data-loss' = 'continue'.",
    ),
    "INSERTS_GONE": Message(
        "DataError",
        "The view {view} has not read what the commits {first} to {last} of `{table}` may have "
        "inserted, and the log of the table keeps them no more: Delta removes commits after "
        "'delta.logRetentionDuration', 30 days. Which of its rows are new is not known any more.",
        "DROP VIEW {view} and create it anew: it sees what is inserted from then on. What its "
        "table lacks of the rows before, INSERT INTO … SELECT … FROM {table} adds.",
    ),
    "OFFSET_BEHIND_END": Message(
        "DataError",
        "The query {query} was to go on at offset {wanted} of partition {partition} of topic "
        "'{topic}', which ends at {last}: the topic was deleted and created again.",
        "Let it begin anew with `penstock reset`, or give the job another name with SET "
        "'pipeline.name' = '…'; a materialized view, by DROP VIEW and CREATE. To go on with what "
        "is there, SET 'penstock.on-data-loss' = 'continue'.",
    ),
    "TOPIC_RECREATED": Message(
        "DataError",
        "The topic '{topic}' was deleted and created again since the query {query} read it: its "
        "offsets in the old one say nothing about the new one.",
        "Let it begin anew with `penstock reset`, or give the job another name with SET "
        "'pipeline.name' = '…'; a materialized view, by DROP VIEW and CREATE. To go on with the "
        "new topic from its beginning, SET 'penstock.on-data-loss' = 'continue'.",
    ),
    "PARTITIONER_FAILED": Message(
        "DataError",
        "The partitioner {name} of table `{table}` failed in the query {query}: {reason}.",
        "It is called as `partition(key, value, topic, partitions)`: two byte strings or None, a "
        "name, and the number of partitions.",
    ),
    "BAD_VALUE": Message(
        "DataError",
        "A value cannot be computed: {reason}",
        "Where a value may be wrong use TRY_CAST, or in ClickHouse SQL a function such as "
        "toInt32OrNull or toDateOrZero; or filter such rows out.",
    ),
    "NULL_IN_NOT_NULL": Message(
        "DataError",
        "{reason}",
        "Filter such rows out with WHERE, or have them left out by "
        "SET 'table.exec.sink.not-null-enforcer' = 'DROP'; a column that is in no key may be "
        "declared without NOT NULL.",
    ),
    "INVALID_INPUT_LINE": Message(
        "DataError", "Line {line} of {source} cannot be sent: {problem}.", "{expected}"
    ),
    "UNSENDABLE_RECORD": Message(
        "DataError", "A record for the topic '{topic}' cannot be sent: {problem}."
    ),
}

RUN = {
    "JOB_ALREADY_RUNNING": Message(
        "RunError",
        "The job '{job}' is running already (process {pid}).",
        "Stop that one first, or give this one another name with SET 'pipeline.name' = '…'.",
    ),
    "RESET_WHILE_RUNNING": Message(
        "RunError",
        "The job '{job}' is running (process {pid}): what it keeps cannot be forgotten now.",
        "Stop it first, with Ctrl-C where it runs or `kill {pid}`, or by its session.",
    ),
    "WAREHOUSE_BUSY": Message(
        "RunError",
        "Process {pid} works on the warehouse {warehouse}, and {what}.",
        "Wait until it has ended, or stop it; then run it again.",
    ),
    "VIEW_NOT_BEGUN": Message(
        "RunError",
        "It is not known from where on the view `{view}` reads the table in {folder}.",
        "Run the statement again that was to change the view, or DROP VIEW and create it anew: "
        "it sees what is inserted from then on.",
    ),
    "VIEWS_ARE_SERVED": Message(
        "RunError",
        "The views of the warehouse {warehouse} are run by another process ({pid}).",
        "Stop that one first, or run the statements with `penstock sql`: it follows them.",
    ),
    "WAREHOUSE_CHANGED": Message(
        "RunError",
        "The tables of the warehouse {warehouse} were changed while the script ran, so that it "
        "means other steps by now; {done} of them are done.",
        "Run what is left of it again.",
    ),
    "TABLE_GONE": Message(
        "RunError",
        "The table `{table}` has no rows to add to: there is none in {folder}.",
        "If it was dropped meanwhile, run the statement again; else put back its folder.",
    ),
    "WAREHOUSE_UNREADABLE": Message(
        "RunError",
        "The catalog of the warehouse, {file}, cannot be read: {reason}.",
        "Put back a copy of it; the rows of its tables are not touched.",
    ),
    "STATE_UNUSABLE": Message(
        "RunError",
        "The job cannot keep its progress in {folder}: {reason}.",
        "Name another folder with SET 'penstock.state.dir' = '…'.",
    ),
    "JVM_LOST": Message(
        "RunError",
        "Spark's Java process ended while the job was running.",
        "Nothing is lost: start the job again. If memory ran out, raise it with "
        "SET 'spark.driver.memory' = '4g'. Spark's log: {log_file}.",
    ),
    "SPARK_START_FAILED": Message(
        "RunError", "Spark did not start: {reason}", "Check the settings; Spark's log: {log_file}."
    ),
    "INTERNAL_ERROR": Message(
        "RunError",
        "Penstock met something it was not prepared for: {reason}.",
        "This is a mistake of ours; its trace is in {file}.",
    ),
    "STATE_CHANGED": Message(
        "RunError",
        "The query {query} of job '{job}' changed in a way that its saved state cannot follow: "
        "{change}.",
        "Undo the change, or give the job another name with SET 'pipeline.name' = '…'. To forget "
        "what the query has, so that it begins anew and writes its rows again: {command}",
    ),
    "UNFINISHED_RUN": Message(
        "RunError",
        "The last run of {query} failed when a part of its rows may have been written exactly "
        "once, and the query is not the same any more.",
        "Run it once as it was, or forget that run with `penstock reset`.",
    ),
    "NO_COMMITTED_OFFSET": Message(
        "RunError",
        "Table `{table}` starts at the committed offsets of {group}, and there is none for "
        "partition {partition} of topic '{topic}'.",
        "Set 'properties.auto.offset.reset' = 'earliest' (or 'latest') for such partitions, or "
        "'scan.startup.mode' = 'earliest-offset' (or 'latest-offset').",
    ),
    "COMMITTED_OFFSET_GONE": Message(
        "RunError",
        "Table `{table}` starts at offset {offset}, committed by group '{group}', in partition "
        "{partition} of topic '{topic}', which has no such message any more: it begins at {first}.",
        "Set 'properties.auto.offset.reset' = 'earliest' (or 'latest') to go on without what is "
        "gone.",
    ),
    "OUTPUT_CLOSED": Message(
        "RunError", "Rows are printed to standard output, and nobody reads it any more."
    ),
    "NO_COMMITTED_END": Message(
        "RunError",
        "Table `{table}` ends at the committed offset of group '{group}', and there is none for "
        "partition {partition} of topic '{topic}'.",
        "Commit offsets for that group, or choose another 'scan.bounded.mode'.",
    ),
    "BOUND_NOT_REACHED": Message(
        "RunError",
        "Table `{table}` ends at offset {end} of partition {partition} of topic '{topic}', which "
        "ends at {last} so far.",
        "Start the job again when those messages are there, or choose a smaller offset.",
    ),
    "TOO_FEW_SLOTS": Message(
        "RunError",
        "Real-time queries hold a task slot for each of the {partitions} partitions they read; "
        "with the other queries {needed} are needed, and Spark has {slots}.",
        "Start Spark with as many: --master 'local[{needed}]', or a larger cluster.",
    ),
    "FILE_NOT_MOVED": Message(
        "RunError",
        "The file {source} could not be moved to {target}.",
        "Check the permissions of the folder; nothing is lost, start the job again.",
    ),
    "PARTITION_WITHOUT_TIME": Message(
        "RunError",
        "The partition {partition} gives the time '{text}', which cannot be read.",
        "Set 'partition.time-extractor.timestamp-pattern' so that it gives 'yyyy-MM-dd HH:mm:ss'.",
    ),
    "DELTA_TABLE_UNREADABLE": Message(
        "RunError",
        "The Delta table of `{table}` in {path} cannot be read: {reason}",
        "Check 'table-path'; a table that is read must be there, with its folder `_delta_log`.",
    ),
    "DELTA_COLUMN_DIFFERS": Message(
        "RunError",
        "Column `{column}` of `{table}` {problem} in the Delta table {path}.",
        "{instead}",
    ),
    "DELTA_TABLE_DIFFERS": Message(
        "RunError",
        "The Delta table of `{table}` in {path} is there already, and {problem}.",
        "Declare {what} as the table has it, or name another folder.",
    ),
    "KERBEROS_FILES_DIFFER": Message(
        "RunError",
        "Kafka tables of the job ask for different Kerberos files: {files}.",
        "Java reads one: name the same in all their credentials, with all realms in it.",
    ),
    "KERBEROS_FILE_FIXED": Message(
        "RunError",
        "This SparkSession has read another Kerberos file than {file} and keeps it.",
        "Start it with `-Djava.security.krb5.conf={file}` in 'spark.driver.extraJavaOptions'.",
    ),
    "QUERY_FAILED": Message("RunError", "The query {query} failed: {problem}", "{instead}"),
}
