# Digit Duel: `make play` to play, `make test` to test, `make help` for the rest.
# All that is needed is Python 3.11 or later (with venv and pip) and make.

PYTHON ?= $(shell command -v python3 || command -v python)
VENV   := .venv
BIN    := $(if $(filter Windows_NT,$(OS)),$(VENV)/Scripts,$(VENV)/bin)
PIP    := $(BIN)/python -m pip --quiet --disable-pip-version-check install
LOCK   := requirements/dev.lock
# Three processes keep two processors busy while some tests wait for a clock or a browser.
PYTEST := $(BIN)/python -m pytest -n 3 --dist worksteal
FAST   := not slow and not campaign
# Browsers, terminals and servers share the processors while they are tested. A test that fails then runs once more,
# alone, and is listed by name: if it passes, it is flaky, which is a defect but no reason to stop.
AGAIN  := echo "== Once more, alone:" && $(BIN)/python -m pytest -v --last-failed --last-failed-no-failures none
COVER  ?= 90  # the least share of the code, in percent, that the tests must reach
MINUTES ?= 10 # how long to soak
PREFIX ?= $(HOME)/.local
STORM ?= 30 # minutes of play, floods and failures together
# Benchmarks that install other libraries, or run as long as you like, have targets of their own.
PEERS := $(addprefix benchmarks/,openspiel_peer.py environments.py batch.py training_loop.py web_load.py)
TALLIES := $(addprefix benchmarks/,kills.py exactly_once.py leaks.py power_cuts.py)
# The most important tests, which take 40 seconds; make check runs all fast tests.
QUICK := $(addprefix tests/,test_rulebook_examples.py test_rulings.py test_sample_sessions.py test_laws.py test_broken_laws.py \
	test_perft.py terminal/test_answers.py web/play/test_commands.py solve/test_tablebase.py solve/test_placing.py)
APART := $(addprefix benchmarks/,soak.py storm.py batch_equals_plain.py versions.py baselines.py equals.py) $(PEERS) $(TALLIES)

.DEFAULT_GOAL := help
.PHONY: help play serve test check coverage lint quick format bench peers soak tallies pictures screens pages manual completion lock lowest pythons clean

help: ## list the targets
	@sed -n 's/^\([a-z]*\):.*## /  make \1	/p' $(MAKEFILE_LIST) | expand -t 18

play: $(VENV)/.play ## open the games in this terminal (make play ARGS="play cards --vs computer")
	@exec $(BIN)/digit-duel $(ARGS)

serve: $(VENV)/.web ## play in the browser (make serve ARGS="--host 0.0.0.0")
	@exec $(BIN)/digit-duel serve $(ARGS)

test: $(VENV)/.ready ## make check and the slow tests; installs what they need
	@tools/install-test-packages
	@$(MAKE) --no-print-directory lint
	$(PYTEST) -m "not campaign" || { [ $$? -eq 1 ] && $(AGAIN) -m "not campaign"; }

check: lint ## check style, format, types and import contracts, and run the fast tests
	$(PYTEST) -m "$(FAST)"

coverage: $(VENV)/.ready ## measure which lines the fast tests reach
	@rm -f .coverage .coverage.*
	COVERAGE_PROCESS_START="$(CURDIR)/pyproject.toml" COVERAGE_FILE="$(CURDIR)/.coverage" $(PYTEST) -m "$(FAST)"
	@$(BIN)/coverage combine --quiet
	@$(BIN)/coverage report --include="src/*" --fail-under=$(COVER)

lint: $(VENV)/.ready ## check style, format, types and import contracts
	$(BIN)/ruff check --quiet .
	$(BIN)/ruff format --quiet --check .
	$(BIN)/mypy --strict
	$(BIN)/lint-imports

quick: $(VENV)/.ready ## test rules, laws, sample sessions, one server and the solvers within 40 seconds
	$(PYTEST) -m "$(FAST)" -q $(QUICK)

format: $(VENV)/.ready ## format the code
	$(BIN)/ruff check --quiet --fix .
	$(BIN)/ruff format --quiet .

bench: $(VENV)/.ready ## run the benchmarks; see benchmarks/README.md
	@missed=0; for file in $(filter-out $(APART),$(wildcard benchmarks/*.py)); do \
		echo "== $$file"; $(BIN)/python $$file || missed=1; done; exit $$missed

peers: $(VENV)/.ready ## run the benchmarks that compare with OpenSpiel, PettingZoo, pgx and boardgame.io
	@missed=0; for file in $(PEERS); do echo "== $$file"; $(BIN)/python $$file || missed=1; done; exit $$missed

soak: $(VENV)/.ready ## run the longest tests, half an hour of play under failures, random games (MINUTES=600 STORM=30)
	$(PYTEST) -m campaign -q -o faulthandler_timeout=0  # some of these take longer than a test that hangs
	$(BIN)/python benchmarks/storm.py --minutes $(STORM)
	$(BIN)/python benchmarks/soak.py --minutes $(MINUTES)

tallies: $(VENV)/.ready ## test crashes, faults, leaks and power cuts, ten minutes each; counts add up over runs
	@missed=0; for file in $(TALLIES); do echo "== $$file"; \
		$(BIN)/python $$file --budget $$((60 * $(MINUTES))) || missed=1; done; exit $$missed

pictures: $(VENV)/.play ## regenerate the pictures in the documentation
	$(BIN)/python docs/pictures/make.py

screens: $(VENV)/.ready ## take screenshots of every browser screen, into the folder screens
	@tools/install-test-packages
	$(BIN)/python docs/pictures/screens.py

pages: $(VENV)/.ready ## regenerate the figures on the pages of games and environments
	$(BIN)/python -m tools.make_game_pages
	$(BIN)/python -m tools.make_environment_pages

manual: $(VENV)/.play ## regenerate the man page from the help of the commands
	$(BIN)/python -m tools.make_man_page

completion: $(VENV)/.play ## install shell completion and the man page for your user (make completion PREFIX=/usr/local)
	@mkdir -p $(addprefix "$(PREFIX)"/share/,bash-completion/completions zsh/site-functions fish/vendor_completions.d man/man1)
	@$(BIN)/digit-duel completion bash > "$(PREFIX)/share/bash-completion/completions/digit-duel"
	@$(BIN)/digit-duel completion zsh > "$(PREFIX)/share/zsh/site-functions/_digit-duel"
	@$(BIN)/digit-duel completion fish > "$(PREFIX)/share/fish/vendor_completions.d/digit-duel.fish"
	@cp docs/digit-duel.1 "$(PREFIX)/share/man/man1/digit-duel.1"
	@echo "Installed in $(PREFIX)/share; new shells complete digit-duel."

lock: $(VENV)/pyvenv.cfg ## lock the newest versions of all packages that the tests need, with hashes
	@$(PIP) uv
	$(BIN)/uv pip compile --quiet --upgrade --universal --python-version 3.11 --generate-hashes \
		--custom-compile-command "make lock" --all-extras --group dev --output-file $(LOCK) pyproject.toml

lowest: $(VENV)/.ready ## run the fast tests with the lowest versions that pyproject.toml allows
	@$(PIP) uv
	@$(BIN)/uv venv --quiet --clear --python $(or $(shell command -v python3.11),$(PYTHON)) $(VENV)/lowest
	@$(BIN)/uv pip install --quiet --python $(VENV)/lowest --resolution lowest-direct \
		--group dev --editable '.[web,research,jax]'
	$(VENV)/lowest/bin/python -m pytest -n 3 -q -m "$(FAST)"

pythons: $(VENV)/.ready ## run the fast tests with every Python from 3.11 to 3.14 on your path
	@missed=0; for version in 3.11 3.12 3.13 3.14; do \
		python$$version -c "" 2>/dev/null || { echo "== Python $$version is not here"; continue; }; \
		echo "== Python $$version"; own=$(VENV)/python$$version; \
		python$$version -m venv --clear $$own && \
		$$own/bin/python -m pip --quiet install --require-hashes --requirement $(LOCK) && \
		$$own/bin/python -m pip --quiet install --no-deps --no-build-isolation --editable . && \
		$$own/bin/python -m pytest -n 3 -q -m "$(FAST)" || missed=1; done; exit $$missed

clean: ## remove everything that was set up or built; saved games stay
	rm -rf $(VENV) build dist htmlcov .coverage* .mypy_cache .ruff_cache .pytest_cache .hypothesis \
		.import_linter_cache src/*.egg-info
	find src tests benchmarks docs tools -name __pycache__ -type d -prune -exec rm -rf {} +

# To play, the package and what it needs to run; to work on it, the tools as well, in the versions of the lock.
$(VENV)/pyvenv.cfg:
	@$(or $(PYTHON),python3) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "Digit Duel needs Python 3.11 or later. With one at hand: make PYTHON=/path/to/python3.12 ..." >&2; \
		exit 1; }
	@echo "Setting up Digit Duel in $(VENV), once ..."
	@$(PYTHON) -m venv $(VENV)

$(VENV)/.play: $(VENV)/pyvenv.cfg pyproject.toml
	@$(PIP) --editable .
	@touch $@

$(VENV)/.web: $(VENV)/.play
	@echo "Setting up the server, once ..."
	@$(PIP) --editable '.[web]'
	@touch $@

$(VENV)/.ready: $(VENV)/pyvenv.cfg pyproject.toml $(LOCK)
	@echo "Setting up the tools to work on it, once ..."
	@$(PIP) --require-hashes --requirement $(LOCK)
	@$(PIP) --no-deps --no-build-isolation --editable .
	@touch $(VENV)/.play $(VENV)/.web $@
