# Every target sets up what it needs, from nothing but a Python with the venv module.
# PYTHON chooses the interpreter that .venv is made from; VENV another place for it.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
GAMES ?= 100000
# Processes that tests run in. Each takes its share from one end of the list, so that they seldom compile the same rules.
WORKERS ?= 2
PYTEST := $(BIN)/python -m pytest -n $(WORKERS) --dist worksteal

.PHONY: demo test test-long test-gymnasium-1.2 lint typecheck format bench fuzz record install clean

install: $(STAMP)

$(STAMP): pyproject.toml constraints.txt
	@test -x $(BIN)/python || $(PYTHON) -c "import sys; sys.exit(sys.version_info < (3, 11))" || \
		{ echo "cardzoo needs Python 3.11 or newer; name one, for example: make PYTHON=python3.12 test" >&2; exit 1; }
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e ".[train,dev]"
	touch $@

# Train an opponent for a few minutes and see how it fares.
demo: $(STAMP)
	$(BIN)/cardzoo train bedroom_battle --config demo

test: $(STAMP)
	$(PYTEST)

# Also what takes minutes: full fuzzing, training killed and resumed ten times.
test-long: $(STAMP)
	$(PYTEST) -m "long or not long"

lint: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

format: $(STAMP)
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

# Type checkers cannot follow the mapped folders of an editable install, so an installed copy is checked.
typecheck: $(STAMP)
	rm -rf build
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --target build/typecheck .
	cd build/typecheck && $(abspath $(BIN))/mypy --config-file ../../pyproject.toml -p cardzoo

# The tests of the environments with the oldest Gymnasium that is supported.
test-gymnasium-1.2: $(STAMP)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --upgrade \
		--target build/gymnasium-1.2 "gymnasium==1.2.*"
	PYTHONPATH=build/gymnasium-1.2 $(PYTEST) tests/envs tests/agents

bench: $(STAMP)
	$(BIN)/cardzoo bench

# Random games of every game, in all its variants, with every invariant checked after every move.
fuzz: $(STAMP)
	$(BIN)/python -m tests.fuzz --games $(GAMES)

# Write the recorded games anew; the diff shows every change of rules or encodings.
record: $(STAMP)
	$(BIN)/python -m tests.record

clean:
	rm -rf build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache
