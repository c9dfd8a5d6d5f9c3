#!/usr/bin/env bash
# The walk-through from beginning to end: walk.sh [EVENTS], in a folder that is removed at its end.
# It has a broker of its own, which leaves that of others and their topics alone.
set -euo pipefail

events=${1:-200000}
here=$(cd "$(dirname "$0")" && pwd)
folder=$(mktemp -d "${TMPDIR:-/tmp}/penstock-github-XXXXXX")
export PENSTOCK_BROKER_DIR=$folder/broker
trap 'penstock broker stop >&2 || true; rm -rf "$folder"' EXIT
began=$SECONDS
say() { echo "• $*, after $((SECONDS - began)) s" >&2; }

cp "$here/github.sql" "$folder"
python3 "$here/generate.py" "$folder/github.jsonl" --events "$events"
say "made up $events events"
address=$(penstock broker start)
penstock topics create github --partitions 5
penstock topics create github_out
penstock produce github --file "$folder/github.jsonl"
say "sent them to the topic github"

penstock run "$folder/github.sql" --embedded --drain
say "ran github.sql"

head -n 10 "$folder/github.jsonl" | penstock produce github
warehouse=$folder/.penstock/warehouse.d
penstock serve --warehouse "$warehouse" --bootstrap "$address" --drain
penstock sql --warehouse "$warehouse" -e 'SELECT count() FROM KafkaEngine.github'
say "sent ten of them once more"
# A message ends with a line feed of its own, as ClickHouse writes it; with its key it is one line.
echo "messages in github_out: $(penstock consume github_out --from-beginning --until-end --keys | wc -l)"
