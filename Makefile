# Two commands: `make demo` shows what airloom does, `make test` checks that it does.

VENV    := .venv
PYTHON  ?= python3
BIN     := $(VENV)/bin
PIP     := $(BIN)/python -m pip --disable-pip-version-check --quiet install --constraint python/constraints.txt
MATURIN := VIRTUAL_ENV=$(abspath $(VENV)) PIP_CONSTRAINT=$(abspath python/constraints.txt) \
           $(BIN)/maturin develop --release --locked
LOG     := $(VENV)/build.log

# The dependencies that pyproject.toml names: those of the package, and those of one of its extras.
NAMES   := $(BIN)/python -c 'import sys, tomllib; \
           project = tomllib.load(open("pyproject.toml", "rb"))["project"]; \
           print(*(project["optional-dependencies"][sys.argv[1]] if sys.argv[1:] else project["dependencies"]), sep="\n")'

.PHONY: setup demo test lint rust-test speed python-test test-linux tools clean

# What demo and test share: leaves $(BIN)/airloom, with the engine built for speed.
setup: $(VENV)/.dependencies
	@echo "building the engine (about a minute the first time)"
	@$(MATURIN) $$(test -x $(BIN)/airloom && echo --skip-install) >$(LOG) 2>&1 || { cat $(LOG); exit 1; }

$(VENV)/.dependencies: python/constraints.txt pyproject.toml
	@echo "setting up $(VENV)"
	@$(PYTHON) -m venv $(VENV)
	@$(NAMES) >$(VENV)/names
	@$(PIP) maturin --requirement $(VENV)/names
	@rm -f $(BIN)/airloom
	@touch $@

$(VENV)/.test-dependencies: $(VENV)/.dependencies
	@$(NAMES) test >$(VENV)/names
	@$(PIP) --requirement $(VENV)/names
	@touch $@

demo: setup
	@$(BIN)/airloom demo

test: lint rust-test speed python-test
	@$(MAKE) --no-print-directory test-linux

lint: setup $(VENV)/.test-dependencies
	cargo fmt --all --check
	cargo clippy --workspace --all-targets --locked --quiet -- -D warnings
	$(BIN)/ruff check --quiet
	$(BIN)/ruff format --check --quiet
	$(BIN)/mypy

rust-test: lint tools
	cargo test --workspace --locked --quiet

# Instructions, unlike times, can be held: a run must not have become slower.
speed: rust-test
	$(BIN)/python benches/instructions.py

python-test: speed
	$(BIN)/python -m pytest

# airloom-guard against the real daemons, in emulated machines.
test-linux: tools
	testbed/run.sh transfer requests days soak

# The report is tested in a real browser, captures with tshark and capinfos, TCP beside the kernel's, speed with
# valgrind, the guard in an emulated machine: the distribution's own. In CI a test without its tool fails; elsewhere it is
# skipped.
tools:
	@for pair in chromium:chromium tshark:tshark capinfos:wireshark-common valgrind:valgrind ip:iproute2 \
	    qemu-system-x86_64:qemu-system-x86 mmdebstrap:mmdebstrap dh:debhelper cpio:cpio modprobe:kmod; do \
	    command -v $${pair%%:*} >/dev/null || missing="$$missing $${pair#*:}"; \
	done; \
	test -z "$$missing" \
	    || { test "$$(id -u)" = 0 && export DEBIAN_FRONTEND=noninteractive \
	        && apt-get -qq update && apt-get -qq install --no-install-recommends $$missing >/dev/null; } \
	    || echo "no$$missing here: the tests that need them are skipped"

clean:
	rm -rf $(VENV) target out python/airloom/_engine.abi3.so
