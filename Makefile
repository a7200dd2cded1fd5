# make run: the dashboard on http://localhost:$(PORT); make test: every check. Both set themselves up in .venv first.
SHELL := bash
PYTHON ?= $(shell command -v python3.11 || command -v python3)
PORT ?= 8501
ADDRESS ?= localhost
WORKERS ?= 2

BIN := .venv/bin
PLOTLY := dashboard/static/plotly.min.js
PIP := $(BIN)/pip install --quiet --disable-pip-version-check

.PHONY: run test lint audit format bench lock setup clean
.DEFAULT_GOAL := run

run: setup
	$(BIN)/python -m streamlit run dashboard/app.py --server.port=$(PORT) --server.address=$(ADDRESS)

# The browser tests come last, in one worker (tests/conftest.py); WORKERS=0 does all in turn.
test: .venv/dev setup lint audit
	@export CHROMIUM="$$(scripts/find_chromium.sh)" && test -n "$$CHROMIUM" && $(BIN)/python -m pytest -n $(WORKERS) $(ARGS)

lint: .venv/dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo
	$(BIN)/python scripts/lint_dockerfile.py

# Known vulnerabilities among the pinned packages; says so where no list of advisories can be reached.
audit: .venv/dev
	$(BIN)/python scripts/audit.py

format: .venv/dev
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: .venv/dev
	$(BIN)/python -m benchmarks $(ARGS)

lock: .venv/run
	scripts/lock.sh $(ARGS)

setup: .venv/run $(PLOTLY)

clean:
	rm -rf .venv dashboard/static build *.egg-info .pytest_cache .hypothesis .mypy_cache .ruff_cache .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# Each stamp is younger than what it was made from, so a second run starts at once.
.venv/run: requirements.txt pyproject.toml
	@"$(PYTHON)" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	    { echo "Python 3.11 or newer is needed: make PYTHON=/path/to/python3.11"; exit 1; }
	test -x $(BIN)/pip || "$(PYTHON)" -m venv .venv
	$(PIP) -r requirements.txt
	$(PIP) --no-deps --no-build-isolation --editable .
	@touch $@

.venv/dev: requirements-dev.txt .venv/run
	$(PIP) -r requirements-dev.txt
	@touch $@

$(PLOTLY): .venv/run
	$(BIN)/python -m dashboard.live_plot.setup
	@touch $@
