# The same short commands for people and for CI. The first one that is run sets up .venv; it is brought up to date again
# when pyproject.toml changes. PYTHON=python3.12 make … chooses the interpreter; UV= (empty) does without uv.

PYTHON ?= $(firstword $(foreach name,python3 python3.13 python3.12 python3.11,$(shell \
    $(name) -c 'import sys; print("$(name)") if (3, 11) <= sys.version_info < (3, 14) else None' 2>/dev/null)) python3)
UV ?= $(shell command -v uv 2>/dev/null)
UV_PYTHON = $(if $(filter environment command,$(firstword $(origin PYTHON))),$(PYTHON),>=3.11,<3.14)
VENV := .venv
BENCH_CORPUS ?= .bench/10000
BIN := $(VENV)/bin
READY := $(VENV)/.glossator-ready
ROOMS := analysis corpus instructions kernel sandbox service vfs

.PHONY: help demo test test-slow check format bench samples clean links
.DEFAULT_GOAL := help

help:
	@echo "make demo       add the sample documents to a corpus in .demo and ask it three questions"
	@echo "make test       the tests, without the slow ones"
	@echo "make test-slow  the slow tests"
	@echo "make check      lint, format, types, and which room may import which"
	@echo "make format     let ruff rewrite the source"
	@echo "make bench      measure cells, and reading 10,000 documents, against plain CPython"
	@echo "make samples    write the generated sample documents again"
	@echo "make clean      remove .venv, .demo and caches"

demo: $(READY)
	@$(BIN)/python samples/demo.py

test: $(READY)
	@$(BIN)/python -m pytest

test-slow: $(READY)
	@$(BIN)/python -m pytest -m slow

check: $(READY)
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/basedpyright
	$(BIN)/lint-imports

format: $(READY)
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

bench: $(READY)
	@$(BIN)/python benchmarks/cells.py
	@test -d $(BENCH_CORPUS) || $(BIN)/python benchmarks/scale.py $(BENCH_CORPUS) 10000
	@$(BIN)/python benchmarks/documents.py $(BENCH_CORPUS)
	@$(BIN)/python benchmarks/loops.py

samples: $(READY)
	@$(BIN)/python samples/make.py

clean:
	rm -rf $(VENV) .demo .bench build *.egg-info .pytest_cache .ruff_cache .hypothesis .import_linter_cache

# The package is made of links to the rooms. Git writes them as small text files when core.symlinks is off.
links:
	@for room in $(ROOMS); do \
	    test -d glossator/$$room || { \
	        echo "glossator/$$room is not a link to a folder: run 'git config core.symlinks true && git checkout -- glossator'," \
	            "or clone again where links can be made." >&2; exit 1; }; done

$(READY): pyproject.toml | links
ifeq ($(UV),)
	@command -v $(PYTHON) >/dev/null || { \
	    echo "There is no $(PYTHON): install Python 3.11, 3.12 or 3.13, or name one with PYTHON=…" >&2; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(not (3, 11) <= sys.version_info < (3, 14))' || { \
	    echo "$(PYTHON) is $$($(PYTHON) --version 2>&1), but Python 3.11, 3.12 or 3.13 is needed:" \
	        "install one, or name one with PYTHON=…" >&2; exit 1; }
	@$(PYTHON) -c 'import venv, ensurepip' 2>/dev/null || { \
	    echo "$(PYTHON) lacks venv or ensurepip: install them (Debian and Ubuntu: apt-get install python3-venv)," \
	        "or install uv." >&2; exit 1; }
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
else
	test -x $(BIN)/python || $(UV) venv --quiet --python '$(UV_PYTHON)' $(VENV)
	$(UV) pip install --quiet --python $(BIN)/python --editable '.[dev]'
endif
	@touch $@
