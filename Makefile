.DEFAULT_GOAL := help
SHELL := /bin/sh

VENV := .venv
PYTHON := $(VENV)/bin/python

# uv where it is there, pip where it is not: both read the same groups and the same constraints.
ifneq ($(shell command -v uv 2>/dev/null),)
NEW_VENV := uv venv --quiet --allow-existing $(VENV)
INSTALL := uv pip install --quiet --python $(PYTHON) --constraint constraints.txt
else
NEW_VENV := python3 -m venv $(VENV) && $(PYTHON) -m pip install --quiet --disable-pip-version-check --constraint constraints.txt 'pip>=25.1'
INSTALL := $(PYTHON) -m pip install --quiet --disable-pip-version-check --constraint constraints.txt
endif

# A stamp per set of packages, so that a target installs what it needs once.
$(VENV)/demo.stamp: pyproject.toml constraints.txt
	@$(NEW_VENV)
	@$(INSTALL) --editable '.[demo]'
	@touch $@

$(VENV)/test.stamp: pyproject.toml constraints.txt
	@$(NEW_VENV)
	@$(INSTALL) --group test --editable .
	@touch $@

$(VENV)/dev.stamp: pyproject.toml constraints.txt
	@$(NEW_VENV)
	@$(INSTALL) --group dev --editable .
	@touch $@ $(VENV)/test.stamp $(VENV)/demo.stamp

.PHONY: demo
demo: $(VENV)/demo.stamp ## Show a refused history, its repair and the trace, without a key
	@$(PYTHON) -m pydantic_ai_history_repair demo

.PHONY: test
test: $(VENV)/test.stamp ## Run the tests
	$(PYTHON) -m pytest

.PHONY: testcov
testcov: $(VENV)/test.stamp ## Run the tests and demand full branch coverage
	$(PYTHON) -m coverage run -m pytest --quiet
	$(PYTHON) -m coverage report

.PHONY: install
install: $(VENV)/dev.stamp ## Install everything a contributor needs

.PHONY: format
format: $(VENV)/dev.stamp ## Format the code
	$(PYTHON) -m ruff check --fix-only .
	$(PYTHON) -m ruff format .

.PHONY: lint
lint: $(VENV)/dev.stamp ## Check style and the direction of imports
	$(PYTHON) -m ruff check .
	$(PYTHON) -m ruff format --check .
	$(VENV)/bin/lint-imports

.PHONY: typecheck
typecheck: $(VENV)/dev.stamp ## Check types
	$(VENV)/bin/pyright --pythonpath $(PYTHON)

.PHONY: matrix
matrix: $(VENV)/dev.stamp ## Run the tests on every supported Pydantic AI release that differs
	$(VENV)/bin/nox --session matrix

.PHONY: docs
docs: $(VENV)/dev.stamp ## Build the documentation
	NO_MKDOCS_2_WARNING=1 $(VENV)/bin/mkdocs build --strict

.PHONY: bench
bench: $(VENV)/dev.stamp ## Compare speed with Pydantic AI's own repair, as ratios
	$(PYTHON) -m pytest benchmarks --benchmark-disable-gc --benchmark-columns=min,median --quiet

.PHONY: all
all: format lint typecheck testcov docs matrix ## Everything but the benchmarks

.PHONY: help
help: ## Show this help
	@grep -E '^[a-z]+:.*## ' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 12
