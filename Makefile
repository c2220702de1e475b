# Two commands: `make demo` shows what airloom does, `make test` checks that it does.

VENV    := .venv
PYTHON  ?= python3
BIN     := $(VENV)/bin
PIP     := $(BIN)/python -m pip --disable-pip-version-check --quiet install --constraint python/constraints.txt
LOCK    := python/constraints.txt pyproject.toml

.PHONY: setup demo test lint rust-test python-test browser clean

# What demo and test share: leaves $(BIN)/airloom, with the engine built for speed.
setup: $(VENV)/.ready
	@VIRTUAL_ENV=$(abspath $(VENV)) $(BIN)/maturin develop --release --locked --skip-install --quiet

$(VENV)/.ready: $(LOCK)
	$(PYTHON) -m venv $(VENV)
	$(PIP) maturin
	VIRTUAL_ENV=$(abspath $(VENV)) PIP_CONSTRAINT=$(abspath python/constraints.txt) \
	    $(BIN)/maturin develop --release --locked --quiet
	@touch $@

$(VENV)/.test-ready: $(VENV)/.ready
	$(PIP) $$($(BIN)/python -c 'import tomllib; print(*tomllib.load(open("pyproject.toml", "rb"))["project"]["optional-dependencies"]["test"])' | sed 's/>=[^ ]*//g')
	@touch $@

demo: setup
	@$(BIN)/airloom demo

test: lint rust-test python-test

lint: setup $(VENV)/.test-ready
	cargo fmt --all --check
	cargo clippy --workspace --all-targets --locked -- -D warnings
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy

rust-test: lint
	cargo test --workspace --locked

python-test: rust-test browser
	$(BIN)/python -m pytest

# The report is tested in a real browser, the distribution's own.
browser:
	@command -v chromium >/dev/null || { [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null \
	    && apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends chromium >/dev/null; } \
	    || echo "no chromium here: the browser test will be skipped"

clean:
	rm -rf $(VENV) target out python/airloom/_engine.abi3.so
