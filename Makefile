# Everyday commands. They need make and Python 3.11 or newer; the rest is installed into .venv
# and frontend/node_modules, in the versions pinned by constraints.txt and package-lock.json.

PYTHON ?= python3
# One more than there are cores, usually: many tests wait now and then.
WORKERS ?= 3
BROWSERS ?= 2
# Whoever has nothing left to do takes tests from the others: some take a thousand times as long.
SPREAD := --dist worksteal

BIN := .venv/bin
CONSTRAINED := --constraint constraints.txt --build-constraint constraints.txt
PIP_INSTALL := $(BIN)/python -m pip --disable-pip-version-check install --quiet $(CONSTRAINED)
FRONTEND := $(BIN)/python scripts/frontend.py
NPM := $(FRONTEND) npm
STEP := @printf '\n== [%s] %s\n' "$$(date +%T)"

# Tests start many processes, and each would compile all of Edison anew.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.NOTPARALLEL:
.PHONY: help start dev test test-ui test-sqlite test-postgresql test-browser test-packaging torture \
	check check-python check-frontend fmt bench build client migration settings-page lock clean ui browser

help: ## List these commands
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-16s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

start: .venv/.run ui ## Install what is missing and run Edison with its demo data in ./data
	@exec $(BIN)/edison --data-dir data serve --demo $(ARGS)

dev: .venv/.dev ## Run the back end with reload, and the front end on Vite's server
	@exec $(BIN)/python scripts/dev.py

test: .venv/.dev ui browser test-ui test-sqlite test-postgresql test-browser test-packaging ## Run all tests on both databases, in a browser, and from a built wheel
	$(STEP) "all tests passed"

test-ui: .venv/.dev ## Front-end tests
	$(STEP) "front-end tests"
	@$(NPM) test

test-sqlite: .venv/.dev ui ## Back-end tests on SQLite
	$(STEP) "back-end tests on SQLite"
	@$(BIN)/pytest -q -n $(WORKERS) $(SPREAD) --ignore=tests/e2e --ignore=tests/packaging

# Slices whose statements are the same everywhere are tried on PostgreSQL by `make torture`.
ON_POSTGRESQL := $(addprefix tests/slices/,budgets calls datasets events operations \
	results runs scorers scoring playground/test_streaming.py)

test-postgresql: .venv/.dev ui ## Slices and lists on PostgreSQL
	$(STEP) "slices on PostgreSQL"
	@$(BIN)/pytest -q -n $(WORKERS) $(SPREAD) --db postgresql $(ON_POSTGRESQL) \
		tests/app/test_pagination.py tests/app/test_connections.py

test-browser: .venv/.dev ui browser ## Journeys in a real browser
	$(STEP) "browser tests"
	@$(BIN)/pytest -q -n $(BROWSERS) $(SPREAD) tests/e2e

test-packaging: .venv/.dev ui ## Build the wheel and run it from a clean virtualenv
	$(STEP) "the built wheel"
	@$(BIN)/pytest -q tests/packaging

torture: .venv/.dev ui browser ## Kill, starve and fuzz at length; for before a release
	$(STEP) "faults and fuzzing, at length"
	@EDISON_TEST_THOROUGH=1 $(BIN)/pytest -q -n $(WORKERS) $(SPREAD) -o faulthandler_timeout=3600 \
		tests/faults tests/app/test_fuzz.py tests/slices/events/test_crowd.py \
		tests/slices/runs/test_crowd.py tests/pipeline/aggregate tests/pipeline/simulation
	@EDISON_TEST_THOROUGH=1 $(BIN)/pytest -q -n $(BROWSERS) $(SPREAD) tests/e2e
	@EDISON_TEST_THOROUGH=1 $(BIN)/pytest -q -n $(WORKERS) $(SPREAD) --db postgresql \
		tests/slices/events/test_crowd.py tests/slices/runs/test_crowd.py
	@$(BIN)/pytest -q -n $(WORKERS) $(SPREAD) --db postgresql tests/slices \
		tests/app/test_permissions.py tests/app/test_connections.py

check: check-python client check-frontend ## Format, lint, types, import direction; back end and front end

check-python: .venv/.dev ## The back end's part of that
	$(STEP) "format and lint"
	@$(BIN)/ruff format --check .
	@$(BIN)/ruff check .
	$(STEP) "types"
	@$(BIN)/mypy
	$(STEP) "import direction"
	@$(BIN)/lint-imports
	$(STEP) "architecture"
	@$(BIN)/pytest -q tests/architecture

check-frontend: .venv/.run ## The front end's part of that
	$(STEP) "front end"
	@$(NPM) run check

fmt: .venv/.dev ## Format everything and apply safe fixes
	@$(BIN)/ruff check --fix .
	@$(BIN)/ruff format .
	@$(NPM) run fmt

bench: .venv/.dev ui ## Measure the figures Edison promises
	@$(BIN)/python -m benchmarks $(ARGS)

build: .venv/.dev ## Build sdist and wheel into dist/
	@rm -rf dist
	@PIP_CONSTRAINT=$(CURDIR)/constraints.txt $(BIN)/python -m build --outdir dist

client: .venv/.run ## Generate the front end's API types from the OpenAPI document
	$(STEP) "API client"
	@mkdir -p .tmp
	@$(BIN)/edison openapi > .tmp/openapi.json
	@$(NPM) run client </dev/null

migration: .venv/.dev ## Write a database revision: make migration m="what changes"
	@test -n "$(m)" || { echo 'Say what changes: make migration m="add prompt labels"' >&2; exit 2; }
	@$(BIN)/python scripts/new_migration.py "$(m)"

settings-page: .venv/.dev ## Write docs/settings.md from the Settings class
	@$(BIN)/python scripts/write_settings_page.py

screenshots: .venv/.dev ui browser ## Photograph every screen, light and dark, into .tmp/screenshots
	@$(BIN)/python scripts/screenshots.py

lock: ## Pin the newest version of every dependency in constraints.txt
	@$(PYTHON) scripts/lock.py

clean: ## Remove everything that was built or installed; keeps ./data
	@rm -rf .venv .tmp build dist src/edison/app/static frontend/node_modules
	@rm -rf .mypy_cache .pytest_cache .ruff_cache .import_linter_cache test-results .hypothesis
	@find src tests scripts -name __pycache__ -type d -prune -exec rm -rf {} +

# The UI is built only when its sources have changed since the last build.
ui: .venv/.run
	@$(FRONTEND) build

browser: .venv/.dev
	@sh scripts/ensure-browser.sh

.venv/.base: constraints.txt
	@sh scripts/ensure-python.sh "$(PYTHON)"
	$(STEP) "virtualenv in .venv"
	@test -x $(BIN)/python || "$(PYTHON)" -m venv .venv
	@$(BIN)/python -m pip --disable-pip-version-check install --quiet --constraint constraints.txt --upgrade pip
	@touch $@

.venv/.run: .venv/.base pyproject.toml
	$(STEP) "installing Edison into .venv"
	@EDISON_SKIP_UI_BUILD=1 $(PIP_INSTALL) --editable . $$($(FRONTEND) requirements)
	@touch $@

.venv/.dev: .venv/.run
	$(STEP) "installing development tools into .venv"
	@EDISON_SKIP_UI_BUILD=1 $(PIP_INSTALL) --editable '.[embeddings,otel]' --group dev
	@touch $@
