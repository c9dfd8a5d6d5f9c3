"""Errors of what is around a job: Java, jars, disk, the broker and its topics."""

from __future__ import annotations

from penstock.messages.base import Message

SETUP = {
    "SESSION_LACKS_JARS": Message(
        "SetupError",
        "This SparkSession was started without Penstock's jars.",
        "Build it with .config('spark.jars', '{jars}'), or let Penstock start one: `penstock run`.",
    ),
    "SESSION_LACKS_DELTA": Message(
        "SetupError",
        "This SparkSession was started without Delta, which tables at rest need.",
        "Build it with {settings} and .config('spark.jars', penstock.spark_jars(delta=True)), or "
        "let Penstock start one: `penstock run`.",
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
    "LIBRARY_MISSING": Message(
        "SetupError",
        "Reading {purpose} needs the Python package {package}, which is not installed.",
        "Install it with `pip install 'penstock[protobuf]'`.",
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

KAFKA = {
    "BROKER_LOST": Message(
        "KafkaError",
        "The query {query} lost its Kafka broker: {reason}.",
        "Nothing was lost: start the job again when the broker is back.",
    ),
    "ACCESS_LOST": Message(
        "KafkaError",
        "Kafka refuses the query {query}: {reason}.",
        "Nothing was lost: give its user the right, or correct the 'properties.sasl.*' and "
        "'properties.ssl.*' options, and start the job again.",
    ),
    "REGISTRY_LOST": Message(
        "KafkaError",
        "The query {query} needs the schema registry {url} for table `{table}`, and it does not "
        "answer, also not when it is asked again: {reason}.",
        "Nothing was lost: start the job again when the registry is back, or correct '{option}'. "
        "How often it is asked again is for the property 'max.retries'.",
    ),
    "REGISTRY_REFUSED": Message(
        "KafkaError",
        "The schema registry {url} refuses the query {query} for table `{table}`: {reason}.",
        "Nothing was lost: {instead}, and start the job again.",
    ),
    "TOPIC_GONE": Message(
        "KafkaError",
        "A topic of the query {query} is gone: {what}.",
        "Create it again and start the job under another name, or delete what the job keeps, its "
        "folder in `.penstock` beside the script: offsets belong to the topic that was deleted.",
    ),
    "BROKER_UNREACHABLE": Message(
        "KafkaError",
        "No Kafka broker{table_note} answered at {address} within {seconds} s.",
        "Check 'properties.bootstrap.servers' or ClickHouse's `kafka_broker_list`, pass "
        "`--bootstrap HOST:PORT`, or use `--embedded` for the broker that comes with Penstock.",
    ),
    "TOPIC_MISSING": Message(
        "KafkaError",
        "The topic '{topic}'{table_note} does not exist on {address}.{did_you_mean}",
        "Create it with `penstock topics create {topic}`.",
    ),
    "NO_TOPIC_MATCHES": Message(
        "KafkaError",
        "No topic on {address} matches '{pattern}' of table `{table}`.",
        "Create one with `penstock topics create`.",
    ),
    "WRITE_FAILED": Message(
        "KafkaError",
        "The query {query} cannot write to table `{table}`: {reason}",
        "Nothing is lost: start the job again when the cause is gone.",
    ),
    "DEAD_LETTER_FAILED": Message(
        "KafkaError",
        "The query {query} cannot write a bad message of table `{table}` to its topic of dead "
        "letters, '{topic}': {reason}",
        "Nothing is lost: the job meets the message again. Create the topic, give the user the "
        "rights to read and write it, or choose another 'scan.deser.failure-handler'.",
    ),
    "DEAD_LETTERS_COMPACTED": Message(
        "KafkaError",
        "The topic '{topic}' of dead letters of table `{table}` has 'cleanup.policy' = '{policy}': "
        "of letters with equal keys it would keep the last one, and of those without a value none.",
        "Set the topic's 'cleanup.policy' to 'delete', or name another topic in "
        "'scan.deser.failure-topic'.",
    ),
    "TOPIC_EXISTS": Message(
        "KafkaError",
        "The topic '{topic}' exists already on {address}.",
        "Use another name, delete it with `penstock topics delete {topic}`, or pass "
        "`--if-not-exists`.",
    ),
    "KAFKA_REFUSED": Message(
        "KafkaError",
        "Kafka at {address} refused to {action}{table_note}: {reason}",
        "Check the 'properties.security.protocol', 'properties.sasl.*' and 'properties.ssl.*' "
        "options and the rights of the user.",
    ),
    "KAFKA_REQUEST_FAILED": Message(
        "KafkaError", "Kafka at {address} could not {action}: {reason}"
    ),
    "BROKER_ADDRESS_INVALID": Message(
        "KafkaError",
        "The broker address '{address}' is not of the form HOST:PORT.",
        "Check 'properties.bootstrap.servers' or ClickHouse's `kafka_broker_list`, or pass "
        "`--bootstrap HOST:PORT`.",
    ),
    "ADVERTISED_UNREACHABLE": Message(
        "KafkaError",
        "Kafka at {address} answers, but tells its clients to use {advertised}, which cannot be "
        "reached from here: {reason}.",
        "Make that name known to this machine, or set the broker's 'advertised.listeners' to an "
        "address that is reachable from here.",
    ),
    "KAFKA_CLIENT_UNUSABLE": Message(
        "KafkaError",
        "No Kafka client can be made for {address}{table_note}: {reason}",
        "Check the 'properties.security.protocol', 'properties.sasl.*' and 'properties.ssl.*' "
        "options, and the files they name.",
    ),
    "KAFKA_CLIENT_LOST": Message(
        "KafkaError",
        "The Java process that asks Kafka for Penstock ended: {reason}",
        "Try again; `penstock doctor` checks Java and its jars.",
    ),
    "NEEDS_JAVA_CLIENT": Message(
        "KafkaError",
        "Single messages cannot be sent or read with {what}.",
        "Use PEM files for TLS, and PLAIN or SCRAM for a login; jobs can do more than "
        "`penstock produce` and `penstock consume`.",
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
