# Everyday commands. They need make and Python 3.11 or newer; the rest is installed into .venv
# and frontend/node_modules, in the versions and with the hashes of requirements/ and
# package-lock.json.

PYTHON ?= python3
# Two more than there are cores, usually: many tests wait now and then.
WORKERS ?= 4
BROWSERS ?= 2
# An idle worker takes tests from the others: some take a thousand times as long.
SPREAD := --dist worksteal

BIN := .venv/bin
# Compiling takes as long as the download, and Python compiles what it imports.
PIP_INSTALL := $(BIN)/python -m pip --disable-pip-version-check install -qq --no-compile
# The lock files are complete, so there is nothing left to resolve.
LOCKED := $(PIP_INSTALL) --require-hashes --no-deps
FRONTEND := $(BIN)/python scripts/frontend.py
NPM := $(FRONTEND) npm
PARTS := $(BIN)/python scripts/run_parts.py
# Where each part writes what became of its tests, for the summary.
REPORT = --junitxml=.tmp/test-results/$@.xml
STEP := @printf '\n== [%s] %s\n' "$$(date +%T)"

# Tests start many processes, and each would compile all of Edison again.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.NOTPARALLEL:
.PHONY: help start dev test test-ui test-sqlite test-postgresql test-browser test-packaging \
	torture torture-faults torture-browser torture-postgresql \
	check check-lint check-types check-frontend fmt bench build client sdk-client migration permissions settings-page hooks-table docs lock audit sbom clean ui browser

help: ## List these commands
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-16s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

start: .venv/.run ui docs ## Install what is missing and run Edison with its demo data in ./data
	@exec $(BIN)/edison --data-dir data serve --demo $(ARGS)

dev: .venv/.dev ## Run the back end with reload, and the front end on Vite's server
	@exec $(BIN)/python scripts/dev.py

test: .venv/.dev ## Run all tests on both databases, in a browser, and from a built wheel
	@$(PARTS) $(MAKE) test-ui,test-packaging test-sqlite test-postgresql test-browser

test-ui: .venv/.dev ## Front-end tests
	$(STEP) "front-end tests"
	@$(NPM) test -- --reporter=default --reporter=junit --outputFile.junit=../.tmp/test-results/$@.xml

# `make check` runs tests/architecture.
test-sqlite: .venv/.dev ui docs sdk-client ## Back-end tests on SQLite
	$(STEP) "back-end tests on SQLite"
	@$(BIN)/pytest -q -n $(WORKERS) $(SPREAD) $(REPORT) \
		--ignore=tests/architecture --ignore=tests/e2e --ignore=tests/packaging

# Slices whose statements are the same everywhere are tried on PostgreSQL by `make torture`.
ON_POSTGRESQL := $(addprefix tests/slices/,budgets calls datasets events operations \
	results runs scorers scoring playground/test_streaming.py)

test-postgresql: .venv/.dev ui ## Slices and lists on PostgreSQL
	$(STEP) "slices on PostgreSQL"
	@$(BIN)/pytest -q -n $(WORKERS) $(SPREAD) $(REPORT) --db postgresql $(ON_POSTGRESQL) tests/app/test_pagination.py

test-browser: .venv/.dev ui docs browser ## Journeys in a real browser
	$(STEP) "browser tests"
	@$(BIN)/pytest -q -n $(BROWSERS) $(SPREAD) $(REPORT) tests/e2e

test-packaging: .venv/.dev ui docs sdk-client ## Build the wheel and run it from a clean virtualenv
	$(STEP) "the built wheel"
	@$(BIN)/pytest -q $(REPORT) tests/packaging

# `make test` always draws the same examples; this draws new ones. The seed is an unsigned number
# of 32 bits.
SEED ?= $(shell od -An -N4 -tu4 /dev/urandom | tr -d ' ')
SEED := $(SEED)
export SEED
SEEDED = --randomly-seed=$(SEED) --hypothesis-seed=$(SEED)

torture: .venv/.dev ## Kill, starve and fuzz at length, with new random examples or those of SEED=…
	$(STEP) "faults and fuzzing, at length; again with the same examples: make torture SEED=$(SEED)"
	@$(PARTS) $(MAKE) torture-faults torture-browser torture-postgresql

torture-faults: .venv/.dev ui
	$(STEP) "faults, fuzz and random examples (seed $(SEED))"
	@EDISON_TEST_THOROUGH=1 $(BIN)/pytest -q -n $(WORKERS) $(SPREAD) $(SEEDED) $(REPORT) \
		-o faulthandler_timeout=3600 tests/faults tests/app/test_fuzz.py tests/slices/events/test_crowd.py \
		tests/slices/runs/test_crowd.py tests/kit tests/library \
		tests/pipeline tests/simulation tests/slices/budgets tests/slices/projects tests/slices/prompts
	@EDISON_TEST_THOROUGH=1 EDISON_TEST_ENGINE=inline $(BIN)/pytest -q -n $(WORKERS) $(SPREAD) $(SEEDED) \
		-o faulthandler_timeout=3600 tests/faults/engine -k sqlite

torture-browser: .venv/.dev ui docs browser
	$(STEP) "browser tests (seed $(SEED))"
	@EDISON_TEST_THOROUGH=1 $(BIN)/pytest -q -n $(BROWSERS) $(SPREAD) $(SEEDED) $(REPORT) tests/e2e

torture-postgresql: .venv/.dev ui
	$(STEP) "all slices on PostgreSQL (seed $(SEED))"
	@EDISON_TEST_THOROUGH=1 $(BIN)/pytest -q -n $(WORKERS) $(SPREAD) $(SEEDED) --db postgresql \
		tests/slices/events/test_crowd.py tests/slices/runs/test_crowd.py
	@$(BIN)/pytest -q -n $(WORKERS) $(SPREAD) $(SEEDED) $(REPORT) --db postgresql \
		tests/slices tests/app/test_permissions.py
	@$(BIN)/pytest -q -n $(WORKERS) $(SPREAD) $(SEEDED) --db postgresql tests/app/test_connections.py

check: .venv/.dev client ## Format, lint, types, import direction; back end and front end
	@$(PARTS) $(MAKE) check-types,check-frontend,check-lint

check-types: .venv/.dev sdk-client ## The back end's types
	$(STEP) "types"
	@$(BIN)/mypy

check-lint: .venv/.dev ## The back end's format, lint, import direction and architecture
	$(STEP) "format and lint"
	@$(BIN)/ruff format --check .
	@$(BIN)/ruff check .
	$(STEP) "import direction"
	@$(BIN)/lint-imports
	$(STEP) "architecture"
	@$(BIN)/pytest -q $(REPORT) tests/architecture

check-frontend: .venv/.run ## The front end's format, lint, types and imports
	$(STEP) "front-end format, lint, types and imports"
	@$(NPM) run check

fmt: .venv/.dev ## Format everything and apply safe fixes
	@$(BIN)/ruff check --fix .
	@$(BIN)/ruff format .
	@$(NPM) run fmt

bench: .venv/.dev ui ## Measure the figures Edison promises
	@$(BIN)/python -m benchmarks $(ARGS)

build: .venv/.dev sdk-client ## Build sdist and wheel into dist/
	@rm -rf dist
	@PIP_CONSTRAINT=$(CURDIR)/constraints.txt $(BIN)/python -m build --outdir dist

client: .venv/.run ## Generate the front end's API types and the SDK's client from the OpenAPI document
	$(STEP) "API client"
	@mkdir -p .tmp
	@$(BIN)/python scripts/openapi_document.py .tmp/openapi.json
	@$(BIN)/python scripts/write_sdk_client.py
	@$(NPM) run client </dev/null

migration: .venv/.dev ## Write a database revision: make migration m="what changes"
	@test -n "$(m)" || { echo 'Say what changes: make migration m="add prompt labels"' >&2; exit 2; }
	@$(BIN)/python scripts/new_migration.py "$(m)"

permissions: .venv/.dev ## Write tests/app/route_permissions.txt from the routes
	@$(BIN)/python -m tests.app.route_table

settings-page: .venv/.dev ## Write docs/settings.md from the Settings class
	@$(BIN)/python scripts/write_settings_page.py

hooks-table: .venv/.dev ## Write the table of hooks in docs/architecture.md
	@$(BIN)/python -m scripts.write_hooks_table

docs: .venv/.run ## Build the documentation as a site, in src/edison/app/docs; a broken link fails
	@$(BIN)/python scripts/docs_site.py

screenshots: .venv/.dev ui browser ## Photograph every screen, light and dark, into .tmp/screenshots
	@$(BIN)/python scripts/screenshots.py

lock: ## Lock the newest version of every dependency with its hashes; ARGS=--keep: the same versions
	@$(PYTHON) scripts/lock.py $(ARGS)

audit: .venv/.dev ## Look for known weaknesses and binding licences; 3 means not everything was checked
	@$(BIN)/python scripts/audit.py

sbom: .venv/.dev ## Write the bill of materials (CycloneDX) to dist/edison.cdx.json
	@mkdir -p dist
	@$(BIN)/python scripts/inventory.py sbom > dist/edison.cdx.json

clean: ## Remove everything that was built or installed; keeps ./data
	@rm -rf .venv .tmp build dist src/edison/app/static src/edison/app/docs src/edison/app/openapi-*.json src/edison/sdk/api.py frontend/node_modules
	@rm -rf .mypy_cache .pytest_cache .ruff_cache .import_linter_cache test-results .hypothesis
	@find src tests scripts -name __pycache__ -type d -prune -exec rm -rf {} +

# The UI is built only when its sources have changed since the last build.
ui: .venv/.run
	@$(FRONTEND) build

# Written only when Edison's sources have changed.
sdk-client: .venv/.run
	@$(BIN)/python scripts/write_sdk_client.py

browser: .venv/.dev
	@sh scripts/ensure-browser.sh

.venv/.base: requirements/build.txt
	@sh scripts/ensure-python.sh "$(PYTHON)"
	$(STEP) "virtualenv in .venv"
	@test -x $(BIN)/python || "$(PYTHON)" -m venv .venv
	@$(LOCKED) --requirement requirements/build.txt
	@touch $@

.venv/.run: .venv/.base pyproject.toml requirements/run.txt requirements/node.txt
	$(STEP) "installing Edison into .venv"
	@$(LOCKED) --requirement requirements/run.txt $$($(FRONTEND) requirements)
	@EDISON_SKIP_UI_BUILD=1 $(PIP_INSTALL) --no-deps --no-index --no-build-isolation --editable .
	@touch $@

.venv/.dev: .venv/.run requirements/extras.txt requirements/dev.txt
	$(STEP) "installing development tools into .venv"
	@$(LOCKED) --requirement requirements/dev.txt
	@# In tests, a package's own syntax warnings would be errors when it is compiled on import.
	@$(BIN)/python -m compileall -qq -j 0 .venv/lib || true
	@touch $@
