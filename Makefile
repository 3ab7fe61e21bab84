# Companion: every target makes what it needs. `make` alone prints the targets.
.DEFAULT_GOAL := help
SHELL := /bin/bash
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
DEV_READY := $(VENV)/.ready-dev

# An environment that was moved, or whose Python is gone, is made anew.
$(shell [ ! -e $(READY) ] || { grep -qsF " $$(realpath $(VENV))" $(VENV)/pyvenv.cfg && \
	$(BIN)/python -c "import pip" 2>/dev/null; } || rm -f $(READY) $(DEV_READY))

.PHONY: stl help demo tickets test torture lint coverage wheel materials deb hub-deb image bench teach card docs train virtual-pi clean lock

help: ## print the targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

demo: $(READY) ## read, score and show an evening on a board of our own drawing; no camera needed
	$(BIN)/companion demo

tickets: $(READY) ## add what reads ticket cards from photos (27 MB)
	scripts/make-venv $(VENV) requirements.lock --tickets

# One more than there are cores: tests in a browser, of processes and of time limits wait a lot. A fourth on two cores
# takes 18 s more than it saves: each looks for all the tests.
WORKERS ?= $$(( $$(nproc) + 1 ))
# Compiled files are kept, whatever the shell says: every worker and every process of a test reads them. They are made
# by a look through the tests while mypy keeps the other core busy; the tests need not wait for it.
test: export PYTHONDONTWRITEBYTECODE :=
# There are more workers than cores: threads within each would only wait for one another.
test: export OPENCV_FOR_THREADS_NUM := 1
test: export OPENBLAS_NUM_THREADS := 1
test: $(DEV_READY) ## gates (lint, types, layers) and every test, side by side
	@echo "make test: looks for all the tests while the types are checked, a minute or more without a word; then they run"
	@$(MAKE) --no-print-directory lint & gates=$$!; \
	$(BIN)/python -m pytest --collect-only -qq >/dev/null 2>&1; \
	$(BIN)/python -m pytest -n $(WORKERS) --dist loadfile --no-loadscope-reorder; tests=$$?; \
	wait $$gates || { echo "make test: the gates failed, see above; make lint runs them alone" >&2; exit 1; }; \
	exit $$tests

PART ?= 1
torture: $(DEV_READY) ## kills, lying and full disks, damage, clock jumps, fuzzing: hours (PART=0.1 for a tenth)
	$(BIN)/python -m tests.torture --part $(PART)
	$(BIN)/python -m tests.torture.fuzz --minutes $$(awk 'BEGIN {print 60 * $(PART)}')
	API_EXAMPLES=$$(awk 'BEGIN {print int(500 * $(PART)) + 1}') $(BIN)/python -m pytest -q tests/web/api/test_api_schema.py
	POSITIONS=$$(awk 'BEGIN {print int(20000 * $(PART)) + 1}') $(BIN)/python -m pytest -q tests/scoring/sheet/test_random_positions.py tests/scoring/longest_path/test_trail_positions.py

lint: $(DEV_READY) ## ruff, mypy --strict, import layers
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

coverage: $(DEV_READY) ## every test, then the share of lines that they run
	$(BIN)/python -m pytest --cov --cov-report=term

wheel: $(DEV_READY) ## build dist/*.whl and check what it holds
	$(BIN)/python -m hatchling build -t wheel -d dist
	$(BIN)/python -m pytest tests/test_wheel.py

deb: ARCH ?= arm64
deb: $(DEV_READY) ## build dist/companion_*_arm64.deb for Raspberry Pi OS (make deb ARCH=amd64 for a PC)
	scripts/make-deb $(ARCH)

hub-deb: ARCH ?= arm64
hub-deb: $(DEV_READY) ## build dist/companion-hub_*_arm64.deb, a club's hub, broker and database (ARCH=amd64 for a PC)
	scripts/make-hub-deb $(ARCH)

stl: $(READY) ## the box's case and the camera's mount for a 3D printer (needs openscad)
	scripts/make-stl

image: ## an SD-card image that boots to the panel (needs pi-gen; says what is missing)
	packaging/image/make-image

bench: $(DEV_READY) ## measured speed and accuracy, with baselines in the same run
	$(BIN)/python -m tests.bench

teach: $(DEV_READY) ## teach USA from its real empty photo as if unknown, then read every photo with it (needs ../shared)
	$(BIN)/python -m tests.bench teaching

docs: $(READY) ## make the pictures and tables in the docs anew from the program
	$(BIN)/python -m companion.documentation.make_docs

card: SHARED ?= ../shared
card: $(READY) ## measure the reader on labelled photos; write the figures into docs/reading.md
	@test -d $(SHARED)/photos || { echo "make card: no labelled photos in $(SHARED); give their folder: make card SHARED=DIR" >&2; exit 2; }
	$(BIN)/python -m vision.evaluate --card docs/reading.md $(addprefix $(SHARED)/,photos renders renders/careless renders/old-phone)

train: SHARED ?= ../shared
train: WORK ?= build/train
train: ## rebuild vision/weights (hours): make train SHARED=../shared WORK=build/train
	scripts/train $(SHARED) $(WORK)

virtual-pi: $(DEV_READY) ## the program and its buttons with the real lgpio on a simulated chip (needs qemu; minutes)
	scripts/virtual-pi/run

clean: ## remove the environment and caches
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache .coverage dist

$(READY): requirements.lock requirements-build.lock pyproject.toml scripts/make-venv
	scripts/make-venv $(VENV) requirements.lock
	@touch $@

# What the program needs is in the developers' lock as well: one installation makes both.
$(DEV_READY): requirements-dev.lock requirements-tickets.lock requirements-build.lock pyproject.toml scripts/make-venv
	scripts/make-venv $(VENV) requirements-dev.lock --browser --broker --tickets
	@touch $(READY) $@

LOCK = $(BIN)/uv pip compile --quiet --universal --python-version 3.11 --no-header

lock: ## write the lock files anew from pyproject.toml, with the hash of every file
	$(BIN)/python -m pip install --quiet uv
	$(LOCK) --generate-hashes --extra mqtt pyproject.toml -o requirements.lock
	$(LOCK) --generate-hashes --extra mqtt --extra hub --group dev pyproject.toml -o requirements-dev.lock
	$(LOCK) --no-annotate --generate-hashes --extra mqtt --extra hub pyproject.toml -o requirements-hub.lock
	$(LOCK) --generate-hashes requirements-build.in -o requirements-build.lock
	$(LOCK) --no-annotate pyproject.toml requirements-train.in | grep -vE '^(nvidia|cuda|triton)' > requirements-train.lock

materials: $(READY) ## write dist/companion.cdx.json, the bill of materials (CycloneDX)
	$(BIN)/python -m companion.documentation.materials dist/companion.cdx.json
