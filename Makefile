# `make` alone lists what can be made. Needs only /bin/sh, make and a Python 3.11 or newer.

SHELL := /bin/sh
BIN := .venv/bin
STAMP := .venv/.setup
# Where it is set, each worker rewrites each test's assertions anew: 15 s of CPU each.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help setup demo test test-all test-editors test-vscode viewer test-viewer viewer-pictures lint types bench bench-recall bench-sessions bench-reader bench-told bench-hints soak lock

help:  ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' Makefile

setup:  ## make .venv with everything locked, llama.cpp and the model; again: under 2 s
	@/bin/sh scripts/setup.sh

# The other targets set up only when what the set-up is made from has changed.
$(STAMP): requirements.lock pyproject.toml scripts/setup.sh scripts/setup.py daemon/embedding/build_llama.py
	@/bin/sh scripts/setup.sh

demo: $(STAMP)  ## see a memory come back in another session
	@$(BIN)/reverie demo

# A worker on each core, at most eight: collecting costs each of them ten seconds.
PYTEST := -m pytest -n auto --maxprocesses 8 --dist worksteal
# Many quick tests wait for processes: five on two cores (134 s; four took 158, three 170).
WORKERS := import os; print((os.cpu_count() or 1) * 5 // 2)

test: $(STAMP)  ## run the tests, in two to three minutes on two cores
	@PYTEST_XDIST_AUTO_NUM_WORKERS=$$($(BIN)/python -c "$(WORKERS)") $(BIN)/python $(PYTEST) -m "not slow"

# The policy alone is measured, and its tests alone run under the measurement, which slows all else.
test-all: $(STAMP)  ## run every test, slow ones too, with many examples; the policy's coverage
	@$(BIN)/coverage run -m pytest --hypothesis-profile=thorough tests/policy
	@$(BIN)/coverage report --show-missing --skip-covered
	@$(BIN)/python $(PYTEST) --hypothesis-profile=thorough --ignore=tests/policy

test-editors: $(STAMP)  ## drive a headless Neovim; check, build and test the VS Code extension; each where its program is there
	@if [ -n "$$REVERIE_NVIM" ] || command -v nvim >/dev/null; then $(BIN)/python -m pytest -q tests/lsp/test_neovim.py; else echo "Neovim is not there: its plugin is not tested (docs/testing.md says how to get one)"; fi
	@if command -v npm >/dev/null; then cd editors/vscode && npm ci --no-audit --no-fund && npm run check && npm run build && npm test; else echo "npm is not there: the VS Code extension is not tested"; fi

test-vscode: $(STAMP)  ## drive a real VS Code; CODE_SERVER=dir (docs/testing.md says how), CHROMIUM=program
	@cd editors/vscode && npm ci --no-audit --no-fund && CODE_SERVER=$(CODE_SERVER) $(if $(CHROMIUM),CHROMIUM=$(CHROMIUM)) REVERIE=$(CURDIR)/$(BIN)/reverie npm run drive

viewer:  ## build the pages of the view from viewer/web into viewer/static, byte for byte the same (needs Node)
	@cd viewer/web && npm ci --no-audit --no-fund --silent && npm run --silent check && npm run --silent build

test-viewer: $(STAMP)  ## test the pages of the view, in a real browser too (needs Node; CHROMIUM=program); DATA=dir: recorded sessions, MANY=1: with 100,000 memories
	@cd viewer/web && npm ci --no-audit --no-fund --silent && npm run --silent check && npm test && $(if $(CHROMIUM),CHROMIUM=$(CHROMIUM)) $(if $(DATA),DATA=$(DATA)) npm run drive $(if $(MANY),&& npm run many)

viewer-pictures: $(STAMP)  ## take the pictures of the pages in docs/pictures anew (needs Node; CHROMIUM=program)
	@cd viewer/web && npm ci --no-audit --no-fund --silent && $(if $(CHROMIUM),CHROMIUM=$(CHROMIUM)) npm run pictures

lint: $(STAMP)  ## check style, formatting, who imports whom, that all is reached, and pages that are made
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/lint-imports --no-logo
	@$(BIN)/python scripts/reachable.py
	@$(BIN)/python scripts/pages.py --check

types: $(STAMP)  ## check the types twice: mypy and basedpyright, both strict
	@$(BIN)/mypy
	@$(BIN)/basedpyright

bench: $(STAMP)  ## measure, beside a baseline, on this machine
	@missed=0; for name in hook_cost recall language_server redaction; do echo "=== $$name"; \
		$(BIN)/python -m lab.benchmarks.$$name || missed=1; done; exit $$missed

bench-recall: $(STAMP)  ## measure recall at 10,000 and 100,000 memories; MILLION=1: more; DATA=dir: how well it finds, TURN=names: switches
	@$(BIN)/python -m $(if $(DATA),lab.benchmarks.ablation --data $(DATA) \
		$(if $(SETS),--sets $(SETS)) $(if $(TURN),--turn $(TURN)) $(if $(QUERIES),--queries $(QUERIES)) \
		$(if $(MODELS),--models $(MODELS)) $(if $(GATE),--gate),\
		lab.benchmarks.recall --whole --rounds 200 --sizes 10000 100000 $(if $(MILLION),1000000))

bench-sessions: $(STAMP)  ## replay real coding sessions; DATA=dir: their events, OUT=file: for a judge
	@$(BIN)/python -m lab.benchmarks.sessions --data $(DATA) $(if $(OUT),--out $(OUT))

bench-reader: $(STAMP)  ## read real coding sessions; DATA=dir, ENGINE="program argument ...": an engine, OUT=file: for a judge
	@$(BIN)/python -m lab.benchmarks.reader --data $(DATA) $(if $(OUT),--out $(OUT)) --engine $(ENGINE)

bench-told: $(STAMP)  ## what real sessions were told by moment; DATA=dir, VERDICTS=files, OUT=file: for a judge, ENGINE="program argument ...": gives the recorded notes
	@$(BIN)/python -m lab.benchmarks.told --data $(DATA) $(if $(VERDICTS),--verdicts $(VERDICTS)) $(if $(OUT),--out $(OUT)) --engine $(ENGINE)

bench-hints: $(STAMP)  ## hints of labelled memories in an editor; DATA=dir: checkout and labels, UNDER=folder
	@$(BIN)/python -m lab.benchmarks.hints --data $(DATA) $(if $(UNDER),--under $(UNDER)) --show

soak: $(STAMP)  ## load and faults by chance on a real daemon; MINUTES=60
	@$(BIN)/python -m lab.soak --minutes $(or $(MINUTES),60)

lock: $(STAMP)  ## pin the dependencies anew (needs uv); UPGRADE=1 takes newer versions
	@UPGRADE="$(UPGRADE)" /bin/sh scripts/lock.sh
