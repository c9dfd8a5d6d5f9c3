"""The wording of every error, by code: what is wrong and where, then what to do about it.

`errors.py` turns a code and named facts into an exception. Codes are stable; sentences may improve.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Message:
    """One wording; `family` is the error class it belongs to."""

    family: str
    text: str
    advice: str = ""


_SQL = {
    "SYNTAX_ERROR": Message("SqlError", "{problem}", "{dialect_note}"),
    "UNSUPPORTED_STATEMENT": Message(
        "SqlError",
        "The statement `{statement}` is not supported.",
        "Supported statements: {supported}.",
    ),
    "UNSUPPORTED_CLAUSE": Message("SqlError", "{clause} is not supported here.", "{instead}"),
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
    "EMPTY_SCRIPT": Message("SqlError", "The script has no statement."),
}

_OPTIONS = {
    "UNKNOWN_OPTION": Message(
        "OptionError",
        "Table `{table}` has the unknown option '{option}'.{did_you_mean}",
        "Supported options: {supported}.",
    ),
    "MISSING_OPTION": Message(
        "OptionError",
        "Table `{table}` lacks the required option '{option}'.",
        "Add it to the WITH clause.",
    ),
    "INVALID_OPTION_VALUE": Message(
        "OptionError",
        "Table `{table}` sets '{option}' to '{value}', which is not valid.",
        "Allowed: {expected}.",
    ),
    "CONFLICTING_OPTIONS": Message("OptionError", "Table `{table}`: {conflict}", "{instead}"),
    "UNKNOWN_CONNECTOR": Message(
        "OptionError",
        "Table `{table}` names the connector '{connector}', which does not exist here."
        "{did_you_mean}",
        "Supported connectors: {supported}. A table of a foreign system can be bound to a file "
        "with `--bind {table}=FILE`.",
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
    "INVALID_SETTING": Message(
        "OptionError", "The setting '{key}' cannot be '{value}'.", "Allowed: {expected}."
    ),
    "UNKNOWN_SETTING": Message(
        "OptionError",
        "There is no setting '{key}'.{did_you_mean}",
        "Settings: {known}, and Spark's own, which begin with 'spark.'.",
    ),
    "INVALID_ARGUMENT": Message("OptionError", "`{argument}` is not valid.", "{expected}"),
    "UNKNOWN_BINDING": Message(
        "OptionError",
        "`--bind` names the table `{table}`, which the script does not create.",
        "Tables of the script: {tables}.",
    ),
}

_PLAN = {
    "UNKNOWN_TABLE": Message(
        "PlanError",
        "There is no table or view `{table}`.{did_you_mean}",
        "Known so far: {known}.",
    ),
    "UNKNOWN_COLUMN": Message(
        "PlanError", "There is no column `{column}`.{did_you_mean}", "Columns here: {known}."
    ),
    "TABLE_EXISTS": Message(
        "PlanError",
        "Table or view `{table}` exists already.",
        "Use another name, or CREATE TABLE IF NOT EXISTS.",
    ),
    "UNSUPPORTED_QUERY": Message(
        "PlanError", "{feature} cannot be run on an unbounded stream here.", "{instead}"
    ),
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
        "Column `{column}` of table `{table}` reads the metadata '{key}', which cannot be written.",
        "Declare it as METADATA FROM '{key}' VIRTUAL to leave it out of INSERT INTO.",
    ),
    "NOT_A_SOURCE": Message(
        "PlanError",
        "Table `{table}` cannot be read: connector '{connector}' can only be used as a sink.",
    ),
    "NOT_A_SINK": Message(
        "PlanError",
        "Table `{table}` cannot be written: connector '{connector}' can only be used as a source.",
    ),
    "SINK_NEEDS_ONE_TOPIC": Message(
        "PlanError",
        "Table `{table}` cannot be written: it names several topics.",
        "Give the sink a table with one topic.",
    ),
    "UNWRITABLE_TIMESTAMP": Message(
        "PlanError",
        "Column `{column}` of table `{table}` would set the timestamp of the Kafka record, which "
        "is not supported yet.",
        "Declare it as METADATA FROM 'timestamp' VIRTUAL, or keep the time in a regular column.",
    ),
    "UNCASTABLE": Message(
        "PlanError", "A value of type {found} cannot be converted to {expected}."
    ),
    "UNSUPPORTED_EXPRESSION": Message(
        "PlanError", "The expression `{expression}` is not supported.", "{instead}"
    ),
    "WRONG_ARGUMENTS": Message(
        "PlanError", "{function} cannot take ({found}).", "It takes {expected}."
    ),
    "AMBIGUOUS_COLUMN": Message(
        "PlanError", "The column `{column}` stands in several inputs.", "Write one of: {choices}."
    ),
    "NOT_GROUPED": Message(
        "PlanError",
        "The column `{column}` is neither in GROUP BY nor inside an aggregate function.",
        "Add it to GROUP BY, or aggregate it.",
    ),
    "NOTHING_TO_RUN": Message(
        "PlanError",
        "The script defines {count} tables but has no INSERT INTO statement.",
        "Add an `INSERT INTO sink SELECT … FROM source`, or use `penstock check`.",
    ),
}

_SETUP = {
    "SESSION_LACKS_JARS": Message(
        "SetupError",
        "This SparkSession was started without Penstock's jars.",
        "Build it with .config('spark.jars', '{jars}'), or let Penstock start one: `penstock run`.",
    ),
    "JAVA_MISSING": Message(
        "SetupError",
        "No Java was found (looked at JAVA_HOME and PATH).",
        "Install a Java 17 or newer (a JDK), or set JAVA_HOME.",
    ),
    "JAVA_TOO_OLD": Message(
        "SetupError",
        "{java} is Java {found}; Java {needed} or newer is needed.",
        "Install it, or point JAVA_HOME at it.",
    ),
    "JAVA_BROKEN": Message(
        "SetupError",
        "{java} ({origin}) does not run: {reason}",
        "Install a Java 17 or newer (a JDK), or point JAVA_HOME at one.",
    ),
    "JAVAC_MISSING": Message(
        "SetupError",
        "No Java compiler of version {needed} or newer was found (looked for javac in JAVA_HOME "
        "and PATH{found}).",
        "Install a JDK {needed} or newer, or point JAVA_HOME at one.",
    ),
    "PYSPARK_MISSING": Message(
        "SetupError",
        "pyspark is not installed for {python}, or has no jars folder.",
        "Install Penstock together with its dependencies: `pip install penstock`.",
    ),
    "JVM_MODULE_MISSING": Message(
        "SetupError",
        "Penstock's own Java module is not at {path}.",
        "Run `make setup` in a clone, or install Penstock from its wheel.",
    ),
    "JARS_UNREACHABLE": Message(
        "SetupError",
        "{artifact} could not be fetched from {repository}: {reason}.",
        "Check the network and the proxy, or set PENSTOCK_MAVEN_REPOSITORY to a mirror, and try "
        "again: what was fetched is kept. The log is {log}.",
    ),
    "ARTIFACT_MISSING": Message(
        "SetupError",
        "{repository} does not give out {artifact}: {reason}.",
        "Set PENSTOCK_MAVEN_REPOSITORY to a Maven repository that has it. The log is {log}.",
    ),
    "ARTIFACT_BROKEN": Message(
        "SetupError",
        "{repository} gave out a broken {artifact}: {reason}.",
        "Try again, or set PENSTOCK_MAVEN_REPOSITORY to another Maven repository. The log is "
        "{log}.",
    ),
    "FETCH_FAILED": Message(
        "SetupError",
        "The jars of '{configuration}' could not be fetched: {reason}.",
        "The log is {log}.",
    ),
    "CACHE_UNUSABLE": Message(
        "SetupError",
        "The cache folder {path} cannot be written: {reason}.",
        "Set PENSTOCK_CACHE to a folder of yours.",
    ),
}

_KAFKA = {
    "BROKER_LOST": Message(
        "KafkaError",
        "The query {query} lost its Kafka broker: {reason}",
        "Nothing was lost: start the job again when the broker is back.",
    ),
    "BROKER_UNREACHABLE": Message(
        "KafkaError",
        "No Kafka broker answered at {address} within {seconds} s{table_note}.",
        "Check 'properties.bootstrap.servers', pass `--bootstrap HOST:PORT`, or use `--embedded` "
        "for the broker that comes with Penstock.",
    ),
    "TOPIC_MISSING": Message(
        "KafkaError",
        "The topic '{topic}'{table_note} does not exist on {address}.{did_you_mean}",
        "Create it with `penstock topics create {topic}`.",
    ),
    "TOPIC_EXISTS": Message(
        "KafkaError",
        "The topic '{topic}' exists already on {address}.",
        "Use another name, delete it with `penstock topics delete {topic}`, or pass "
        "`--if-not-exists`.",
    ),
    "KAFKA_REFUSED": Message(
        "KafkaError",
        "Kafka at {address} refused to {action}: {reason}",
        "Check the 'properties.security.protocol', 'properties.sasl.*' and 'properties.ssl.*' "
        "options and the rights of the user.",
    ),
    "KAFKA_REQUEST_FAILED": Message(
        "KafkaError", "Kafka at {address} could not {action}: {reason}"
    ),
    "BROKER_ADDRESS_INVALID": Message(
        "KafkaError",
        "The broker address '{address}' is not of the form HOST:PORT.",
        "Check 'properties.bootstrap.servers', or pass `--bootstrap HOST:PORT`.",
    ),
    "ADVERTISED_UNREACHABLE": Message(
        "KafkaError",
        "Kafka at {address} answers, but tells its clients to use {advertised}, which cannot be "
        "reached from here: {reason}.",
        "Make that name known to this machine, or set the broker's 'advertised.listeners' to an "
        "address that is reachable from here.",
    ),
    "STORE_NOT_PEM": Message(
        "KafkaError",
        "'{option}' is a {type} file, which Penstock's Kafka client cannot read.",
        "{instead}",
    ),
    "NO_BROKER": Message(
        "KafkaError",
        "No Kafka broker was named, and the embedded broker is not running.",
        "Pass `--bootstrap HOST:PORT`, set PENSTOCK_BOOTSTRAP, or run `penstock broker start`.",
    ),
    "BROKER_FAILED": Message(
        "KafkaError",
        "The embedded broker in {directory} did not start: {reason}",
        "Its log is {log}.",
    ),
    "BROKER_WILL_NOT_STOP": Message(
        "KafkaError",
        "The embedded broker in {directory} (process {pid}) does not end, not even by SIGKILL.",
        "Its log is {log}.",
    ),
    "BROKER_RUNNING_ELSEWHERE": Message(
        "KafkaError",
        "The embedded broker in {directory} is running already at {address}, not on port {port}.",
        "Use that address, or run `penstock broker stop` first.",
    ),
    "PORT_TAKEN": Message(
        "KafkaError",
        "The embedded broker cannot listen on port {port}: {reason}.",
        "Choose another port, or leave out `--port` for a free one.",
    ),
    "BROKER_FOLDER_UNUSABLE": Message(
        "KafkaError",
        "The embedded broker cannot use the folder {directory}: {reason}.",
        "Choose another one with `--dir` or PENSTOCK_BROKER_DIR.",
    ),
}

_DATA = {
    "BAD_MESSAGE": Message(
        "DataError",
        "A message of topic '{topic}' (partition {partition}, offset {offset}) cannot be read: "
        "{reason}{field_note}. It begins: {excerpt}",
        "Nothing was skipped: the job meets it again when it is started again. To skip such "
        "messages set '<format>.ignore-parse-errors' = 'true'.",
    ),
    "BAD_ROW": Message(
        "DataError", "A row cannot be written: {reason}.", "Correct the query or the option named."
    ),
    "BAD_VALUE": Message(
        "DataError",
        "A value cannot be computed: {reason}",
        "Use TRY_CAST where a value may be wrong, or filter such rows out.",
    ),
    "NULL_IN_NOT_NULL": Message(
        "DataError",
        "{reason}",
        "Filter such rows out, or declare the column without NOT NULL.",
    ),
    "INVALID_INPUT_LINE": Message(
        "DataError", "Line {line} of {source} cannot be sent: {problem}.", "{expected}"
    ),
    "UNSENDABLE_RECORD": Message(
        "DataError", "A record for the topic '{topic}' cannot be sent: {problem}."
    ),
}

_RUN = {
    "JOB_ALREADY_RUNNING": Message(
        "RunError",
        "The job '{job}' is running already (process {pid}).",
        "Stop that one first, or give this one another name with SET 'pipeline.name' = '…'.",
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
        "Undo the change, give the job another name with SET 'pipeline.name' = '…', or delete "
        "{folder} to start it anew from 'scan.startup.mode'.",
    ),
    "NO_COMMITTED_OFFSET": Message(
        "RunError",
        "Table `{table}` starts at the committed offsets of {group}, and there are none for topic "
        "'{topic}'.",
        "Set 'scan.startup.mode' = 'earliest-offset' (or 'latest-offset'), or "
        "'properties.auto.offset.reset' = 'earliest'.",
    ),
    "QUERY_FAILED": Message("RunError", "The query {query} failed: {problem}", "{instead}"),
}

MESSAGES = {**_SQL, **_OPTIONS, **_PLAN, **_SETUP, **_KAFKA, **_DATA, **_RUN}
