# `make setup` installs everything into .venv; every other target first sets up what it needs.

PYTHON ?= python3
ARGS   ?=
VENV   := .venv
BIN    := $(VENV)/bin
PYTEST := $(BIN)/python -m pytest
# Tests wait as much as they compute: three at a time on two cores, each with a broker and a Spark
# of its own, some 3 GB.
WORKERS ?= 3
# No test runs long enough for what Java's second compiler makes to be worth its work; without it
# Java would keep the code of a fifth of the methods, and throw the others out again and again. A
# collector that works beside the program takes its cores from the other workers.
QUICK := SPARK_SUBMIT_OPTS="$${SPARK_SUBMIT_OPTS:--XX:TieredStopAtLevel=1 -XX:ReservedCodeCacheSize=240m -XX:+UseSerialGC}"

# A virtualenv holds its own absolute path: one that came along with a copied or moved clone would
# run the other clone's code, so the stamp is for this folder only.
READY  := $(VENV)/.ready-$(shell pwd | cksum | cut -d ' ' -f 1)

.DEFAULT_GOAL := help
.PHONY: help setup demo demo-clickhouse test test-fast test-slow lint bench docs golden clean

# A virtualenv outlives the Python it was made with; then it is made again.
ifneq ($(shell $(BIN)/python -c 'print("runs")' 2>/dev/null),runs)
.PHONY: $(READY)
endif

help: ## list these targets
	@awk 'BEGIN {FS = ":.*## "} /^[a-z-]+:.*## / {printf "make %-15s %s\n", $$1, $$2}' $(MAKEFILE_LIST)
	@echo 'Variables: PYTHON=python3.12 for the virtualenv, ARGS="-k name" for pytest, WORKERS=2.'

setup: $(READY)-package ## install into .venv, build the Java module, fetch the jars
	@$(BIN)/python jvm/build.py
	@$(BIN)/python -m penstock.jars fetch all

demo: setup ## everything at once, on the embedded Kafka broker
	@$(BIN)/penstock demo

demo-clickhouse: setup ## 200,000 GitHub events through ClickHouse's Kafka guide
	@PATH="$(CURDIR)/$(BIN):$$PATH" examples/clickhouse/walk.sh

test: setup ## all tests but the slow ones
	@$(QUICK) $(PYTEST) -m "not slow" -n $(WORKERS) --dist loadfile $(ARGS)

test-fast: setup ## the tests that start no JVM
	@$(PYTEST) -m "not slow and not kafka and not spark" $(ARGS)

test-slow: setup $(VENV)/clickhouse ## crashes, process kills, soak, ClickHouse side by side
	@$(PYTEST) -m slow $(ARGS)

$(VENV)/clickhouse: requirements/slow.txt | $(READY)
	@$(BIN)/python -m pip install --quiet --upgrade --target $@ -r $< && touch $@

lint: $(READY) ## ruff and mypy
	@$(BIN)/ruff check
	@$(BIN)/ruff format --check
	@$(BIN)/mypy

golden: setup ## rewrite the expected plans of tests/cases; read the diff
	@$(PYTEST) --golden tests/test_cases_plan.py $(ARGS)

bench: setup ## the benchmarks
	@$(BIN)/python -m benchmarks.run $(ARGS)

docs: setup ## rewrite the generated pages of the reference
	@$(BIN)/python docs/generate.py

clean: ## remove build outputs and the virtualenv, not the fetched jars
	@rm -rf $(VENV) build dist *.egg-info penstock/jars/*.jar
	@rm -rf .mypy_cache .ruff_cache .pytest_cache .hypothesis

# Each stamp is set after its last command: what is interrupted is done again, from a clean start.
$(READY): requirements/lock.txt
	@command -v $(PYTHON) >/dev/null || { \
	  echo 'There is no `$(PYTHON)`. Install Python 3.10 or newer, or name one: make setup PYTHON=…' >&2; exit 3; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 10))' || { \
	  echo "Penstock needs Python 3.10 or newer; \`$(PYTHON)\` is $$($(PYTHON) --version 2>&1)." \
	    "Name another: make setup PYTHON=…" >&2; exit 3; }
	@echo "• making $(VENV) with $$($(PYTHON) --version)"
	@rm -rf $(VENV)
	@$(PYTHON) -m venv $(VENV) || { \
	  rm -rf $(VENV); echo 'On Debian and Ubuntu: apt-get install python3-venv' >&2; exit 3; }
	@echo '• installing Python packages (first time: about a minute)'
	@PIP_USE_PEP517=1 $(BIN)/python -m pip install --quiet --disable-pip-version-check \
	  --requirement requirements/lock.txt
	@touch $@

# The Java module comes first: its build names what is missing better than pip's log would.
$(READY)-package: $(READY) pyproject.toml jvm/hatch_hook.py penstock/version.py
	@$(BIN)/python jvm/build.py
	@echo '• installing Penstock'
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-build-isolation \
	  --no-deps --editable .
	@touch $@
