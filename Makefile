# Every target builds what it needs; CI calls them as they are. A second call is quick.
#   make demo    overload in a chain of radios, and CXCC: a page in results/demo.html
#   make test    the tests, in a few minutes    make test-long  those that take long, which CI runs, too
#   make test-lowest  what depends on Python packages, with the lowest versions that pyproject.toml allows
#   make check   formats, lints, types, Rust's pages
#   make package  what would be published on crates.io, compiled    make package-list  only packed
#   make bench   how fast it is       make fuzz    parsers and schemes, FUZZ_SECONDS each
#   make bench-wheel  the same of the wheel, which is optimised by a profile
#   make cluster-demo  a sweep on two Dask workers here, one of which is killed
#   make fuzz-some  the same for FUZZ_SOME_SECONDS each, where nightly Rust and cargo-fuzz are installed
#   make mutants the code broken on purpose in a sample of places: do tests notice? Takes hours
#   make mutants-list  what is broken    make mutants-missed  once more, what tests have not noticed
#   make count   instructions of fixed runs, no more than before
#   make outside  a crate outside the workspace, and its wheel: examples/outside
#   make reproduce  the papers' figures    make validate  runs beside ns-2, kept for the pages
#   make generate  whatever programs make of code and of stored results: schemas, tables, pages
#   make docs    the documentation as a site: dist/docs
#   make newcomer  a wheel in an empty environment, and the tutorials followed with it
#   make linux   multihop-node and multihop-ether    make lab-demo  curl over five hops of them
#   make soak    ten nodes of a lab under faults at random   make operations  lists of operations drawn at random, on processes
#   make ns3     multihop-ns3, where ns-3 is installed    make ns3-test  its tests
#   make ns3-some  the same tests, where ns-3 is installed
#   make linux-static  the same without libraries of the system, for this processor and for 64-bit ARM
#   make linux-static-some  built quickly, and tried, where rustup is installed
#   make deb     a Debian package of them, by cargo-deb    make deb-aarch64  one for 64-bit ARM
#   make deb-some  built quickly, and tried in a Debian of its own, where root can make one
#   make wheel   dist/*.whl, optimised by the profile of fixed runs
#   make release  everything that is published, in dist/release
#   make viewer  the page of `multihop view`, from viewer/ (Node)    make viewer-test  its tests
#   make viewer-some  the same tests, where Node is installed
#   make web     the engine as a WebAssembly module, for `multihop playground`
#   make web-some  the module, built quickly, beside the native engine, where rustup and Node are installed
#   make site    the playground as a folder for any web server: dist/site    make playground-test  it in a browser
#   make playground-some  the same test, where rustup, Node and Chromium are installed
#   make dev     the engine built quickly, for work on it; the next other target builds it in full

PYTHON ?= python3
FUZZ_SECONDS ?= 60
FUZZ_SOME_SECONDS ?= 5
SOAK_MINUTES ?= 10
OPERATION_LISTS ?= 20
STATIC_PROFILE ?= release
VENV := .venv
BIN := $(VENV)/bin
LOWEST := .venv-lowest
MUTANTS := .venv-mutants
# What the tests themselves use.
TESTERS := duckdb hypothesis jsonschema pytest pytest-timeout pytest-xdist
RUST := Cargo.toml Cargo.lock pyproject.toml $(shell find crates -name '*.rs' -o -name Cargo.toml)
# The extension module needs an interpreter to link; Python tests it.
CRATES := --workspace --exclude multihop-python
# The two distributions beside the package, in place as well.
BESIDE := -m pip install --quiet --disable-pip-version-check --no-deps -e packages/papers -e packages/validation

.PHONY: docs newcomer release outside package package-list dev demo test test-long test-lowest check check-rust bench bench-wheel cluster-demo count count-built generate fuzz fuzz-some mutants mutants-list mutants-missed viewer viewer-test viewer-some web web-some web-test site playground-test playground-some reproduce validate ns3 ns3-test ns3-some linux linux-static linux-static-some linux-x86_64 linux-aarch64 deb deb-x86_64 deb-aarch64 deb-some lab-demo soak operations wheel clean

demo: $(VENV)/installed
	$(BIN)/multihop demo

# The results are the same, runs take longer.
dev: | $(VENV)/maturin
	rm -f $(VENV)/installed $(VENV)/developer
	PIP_QUIET=1 $(BIN)/maturin develop --profile quick --quiet --extras reproduce,dev
	$(BIN)/python $(BESIDE)

reproduce: $(VENV)/installed
	$(BIN)/multihop reproduce

test: $(VENV)/developer
	cargo test $(CRATES)
	$(BIN)/pytest -n logical --dist loadfile

test-long: $(VENV)/developer
	cargo test $(CRATES) --tests -- --ignored
	$(BIN)/pytest -n logical --dist loadfile -m long

# An environment of its own with the engine of the other: only what Python programs use differs.
test-lowest: $(VENV)/developer $(LOWEST)/made
	PATH="$(abspath $(LOWEST))/bin:$$PATH" PYTHONPATH="$(abspath python)" \
	    $(LOWEST)/bin/python -m pytest -n logical --dist loadfile -W ignore -m 'not long and not engine'

check: $(VENV)/developer check-rust
	$(BIN)/ruff format --check
	$(BIN)/ruff check
	$(BIN)/mypy

# The half that needs no Python packages; CI runs it while they are built.
check-rust:
	cargo fmt --all --check
	cargo clippy --workspace --all-targets -- -D warnings
	RUSTDOCFLAGS='-D warnings' cargo doc --workspace --no-deps --quiet

validate: $(VENV)/installed
	$(BIN)/python -m multihop_validation

# Tests say whether something has not been made anew (test_generated, test_docs, test_notebook).
generate: $(VENV)/developer
	$(BIN)/python -m tests.generate
	$(BIN)/python -m tests.test_docs
	$(BIN)/python -m tests.test_tutorial
	$(BIN)/python -m tests.test_notebook
	$(BIN)/python -m tests.why_gallery

# Every warning is an error. Beside the pages stand those of the crates by rustdoc.
docs: $(VENV)/developer
	$(BIN)/python -m sphinx --quiet --fail-on-warning --keep-going docs dist/docs
	RUSTDOCFLAGS='-D warnings' cargo doc --workspace --no-deps --quiet
	rm -rf dist/docs/rust
	cp -r target/doc dist/docs/rust

# An environment that has the wheel and what it needs, and nothing of this tree.
newcomer: $(VENV)/developer
	rm -rf dist/newcomer
	$(BIN)/python -m maturin build --release --quiet --out dist/newcomer
	$(call environment,dist/newcomer/environment)
	dist/newcomer/environment/bin/python -m pip install --quiet --disable-pip-version-check dist/newcomer/*.whl
	$(BIN)/python -m tests.newcomer dist/newcomer/environment/bin

bench: $(VENV)/developer
	$(BIN)/python benches/bench.py
	$(BIN)/python benches/mesh_day.py
	$(BIN)/python benches/sweeping.py
	$(BIN)/python benches/precision.py
	$(BIN)/python benches/learning.py
	$(BIN)/python benches/web.py

# The same of the wheel that `make wheel` makes, which is what its users have.
bench-wheel: $(VENV)/developer wheel
	rm -rf dist/engine
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --target dist/engine "$$(ls -t dist/*.whl | head -1)"
	PYTHONPATH=dist/engine $(BIN)/python benches/bench.py

# Its comparison with a serial run is a test, too.
cluster-demo: $(VENV)/developer
	$(BIN)/python benches/cluster.py

count: $(VENV)/installed
	$(BIN)/python benches/instructions.py

# What `make count` runs, for CI to build beside something else.
count-built:
	cargo build --release -p multihop-sim --example run

# The crates that are published, as they are: nothing is sent anywhere. Each is compiled from its package alone.
PACKAGE := cargo package --workspace --exclude multihop-python --exclude multihop-testkit --allow-dirty

package:
	$(PACKAGE)

package-list:
	$(PACKAGE) --no-verify --quiet

# A crate of its own, with multihop's compiled parts; and its wheel, installed where nothing else finds it.
OUTSIDE := --manifest-path examples/outside/Cargo.toml
outside: export CARGO_TARGET_DIR := $(abspath target)
outside: $(VENV)/developer
	cargo fmt $(OUTSIDE) --package multihop-outside --package multihop-outside-wheel --check
	cargo clippy $(OUTSIDE) --workspace --all-targets -- -D warnings
	cargo test $(OUTSIDE) --workspace
	rm -rf target/outside
	$(BIN)/maturin build --quiet --profile dev --manifest-path examples/outside/wheel/Cargo.toml --out target/outside
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --target target/outside/site target/outside/*.whl
	PYTHONPATH=target/outside/site $(BIN)/python -m pytest examples/outside/wheel/tests

fuzz:
	cd fuzz && for target in $$(cargo +nightly fuzz list); do \
	    cargo +nightly fuzz run $$target -- -timeout=10 -max_total_time=$(FUZZ_SECONDS) || exit 1; done

# What CI calls: it says what is missing, and does not fail for that.
fuzz-some:
	@if ! cargo +nightly --version >/dev/null 2>&1; then \
	    echo "skipped: there is no nightly Rust (rustup toolchain install nightly)"; \
	elif ! cargo +nightly fuzz --version >/dev/null 2>&1; then \
	    echo "skipped: there is no cargo-fuzz (cargo install cargo-fuzz)"; \
	else $(MAKE) fuzz FUZZ_SECONDS=$(FUZZ_SOME_SECONDS); fi

# Where the tools are, which no other target needs. Outcomes are kept; `make generate` makes their page.
HAS_MUTANTS = cargo mutants --version >/dev/null 2>&1 || { echo "there is no cargo-mutants: cargo install cargo-mutants --locked" >&2; exit 1; }
MUTATE = PATH="$(abspath $(MUTANTS))/bin:$$PATH" $(BIN)/python benches/mutants.py

mutants: $(VENV)/developer $(MUTANTS)/made
	@$(HAS_MUTANTS)
	$(MUTATE) run

mutants-list mutants-missed: mutants-%: $(VENV)/developer $(MUTANTS)/made
	@$(HAS_MUTANTS)
	$(MUTATE) $*

# Not `npm ci`: it refuses a lock that lacks the packages of other platforms.
viewer/node_modules: viewer/package-lock.json
	cd viewer && npm install --no-save --no-audit --no-fund
	touch $@

# What it makes is committed, so that nobody needs Node who does not change it.
viewer: viewer/node_modules
	cd viewer && npm run --silent build

# The tests in the browser start `multihop view` with this Python.
viewer-test: viewer/node_modules $(VENV)/developer
	cd viewer && npm test --silent && MULTIHOP_PYTHON=$(abspath $(BIN))/python npm run --silent browser

# Node is new enough for what builds and tests the page.
HAS_NODE := { node -e 'const [a, b] = process.versions.node.split("."); process.exit(Number(a * 100 + +b < 2019))' && \
    npm --version; } >/dev/null 2>&1

# What CI calls: it says what is missing, and does not fail for that.
viewer-some:
	@if ! $(HAS_NODE); then \
	    echo "skipped: there is no Node 20.19 with npm (apt-get install npm)"; \
	elif ! $(MAKE) --silent viewer/node_modules >/dev/null 2>&1; then \
	    echo "skipped: npm cannot get the page's packages"; \
	elif ! test -x "$${CHROMIUM:-/usr/bin/chromium}"; then \
	    echo "skipped: there is no Chromium (apt-get install chromium; CHROMIUM names another one)"; \
	else $(MAKE) viewer-test; fi

# The module is not committed: it changes with every change of the engine. A wheel takes it along.
WEB_PROFILE ?= wasm
MODULE := python/multihop/viewing/engine.wasm

web:
	@rustup --version >/dev/null 2>&1 || { echo "there is no rustup, which has Rust for WebAssembly: https://rustup.rs" >&2; exit 1; }
	rustup target add wasm32-unknown-unknown
	cargo build --profile $(WEB_PROFILE) --target wasm32-unknown-unknown -p multihop-web
	cp target/wasm32-unknown-unknown/$(WEB_PROFILE)/multihop_web.wasm $(MODULE)

# What CI calls: it says what is missing, and does not fail for that.
web-some:
	@if ! rustup --version >/dev/null 2>&1; then \
	    echo "skipped: there is no rustup, which has Rust for WebAssembly (https://rustup.rs)"; \
	elif ! rustup target add wasm32-unknown-unknown >/dev/null 2>&1; then \
	    echo "skipped: rustup cannot get Rust for WebAssembly"; \
	elif ! $(HAS_NODE); then \
	    echo "skipped: there is no Node 20.19 with npm (apt-get install npm)"; \
	elif ! $(MAKE) --silent viewer/node_modules >/dev/null 2>&1; then \
	    echo "skipped: npm cannot get the page's packages"; \
	else $(MAKE) web WEB_PROFILE=wasm-quick && $(MAKE) web-test; fi

# The engine as a page has it, beside the one that Python has.
web-test: viewer/node_modules $(VENV)/developer
	cd viewer && MULTIHOP_PYTHON=$(abspath $(BIN))/python npm run --silent engine

site: web $(VENV)/installed
	$(BIN)/multihop playground --export dist/site

playground-test: viewer/node_modules $(VENV)/developer
	@test -f $(MODULE) || $(MAKE) web
	cd viewer && MULTIHOP_PYTHON=$(abspath $(BIN))/python npm run --silent playground

# What CI calls: it says what is missing, and does not fail for that.
playground-some:
	@if ! rustup target add wasm32-unknown-unknown >/dev/null 2>&1; then \
	    echo "skipped: there is no rustup, which has Rust for WebAssembly (https://rustup.rs)"; \
	elif ! $(HAS_NODE); then \
	    echo "skipped: there is no Node 20.19 with npm (apt-get install npm)"; \
	elif ! $(MAKE) --silent viewer/node_modules >/dev/null 2>&1; then \
	    echo "skipped: npm cannot get the page's packages"; \
	elif ! test -x "$${CHROMIUM:-/usr/bin/chromium}"; then \
	    echo "skipped: there is no Chromium (apt-get install chromium; CHROMIUM names another one)"; \
	else { test -f $(MODULE) || $(MAKE) web WEB_PROFILE=wasm-quick; } && $(MAKE) playground-test; fi

linux:
	cargo build --release -p multihop-linux

# musl and Rust's own linker: no compiler for ARM is needed. Tables of lines would make the programs three times as large.
STATIC = rustup target add $(1) && CARGO_TARGET_AARCH64_UNKNOWN_LINUX_MUSL_LINKER=rust-lld CARGO_PROFILE_RELEASE_STRIP=debuginfo \
    cargo build --profile $(STATIC_PROFILE) -p multihop-linux $(addprefix --target ,$(1))

linux-x86_64 linux-aarch64: linux-%:
	$(call STATIC,$*-unknown-linux-musl)

# Both at once: neither waits while the other is linked.
linux-static:
	$(call STATIC,x86_64-unknown-linux-musl aarch64-unknown-linux-musl)

# What CI calls: it says what is missing, and does not fail for that.
linux-static-some: $(VENV)/developer
	@if ! rustup --version >/dev/null 2>&1; then \
	    echo "skipped: there is no rustup, which has Rust for musl (https://rustup.rs)"; \
	else $(MAKE) linux-static STATIC_PROFILE=dev && MULTIHOP_STATIC=debug $(BIN)/pytest tests/test_static.py tests/test_openwrt.py; fi

# Debian packages of the static programs, which need no library, in target/debian.
deb: deb-$(shell uname -m)

DEB_PROFILE := $(if $(filter dev,$(STATIC_PROFILE)),--profile dev --fast)
deb-x86_64 deb-aarch64: deb-%: linux-%
	cargo deb --quiet -p multihop-linux --no-build --no-strip --target $*-unknown-linux-musl --output target/debian/ $(DEB_PROFILE)

# Debian 12 with systemd, and with what tests in it use.
DEBIAN := target/debian-12
$(DEBIAN):
	rm -rf $@ $@.new
	debootstrap --variant=minbase --include=systemd-sysv,iproute2,iputils-ping bookworm $@.new
	mv $@.new $@

# What CI calls: it says what is missing, and does not fail for that.
deb-some: $(VENV)/developer
	@if test "$$(id -u)" != 0; then \
	    echo "skipped: only root makes a Debian in a folder"; \
	elif ! rustup --version >/dev/null 2>&1; then \
	    echo "skipped: there is no rustup, which has Rust for musl (https://rustup.rs)"; \
	elif ! cargo deb --version >/dev/null 2>&1; then \
	    echo "skipped: there is no cargo-deb (cargo install cargo-deb)"; \
	elif ! { command -v debootstrap && command -v systemd-nspawn; } >/dev/null; then \
	    echo "skipped: there is no debootstrap, or no systemd-nspawn (apt-get install debootstrap systemd-container)"; \
	elif ! $(MAKE) --silent $(DEBIAN) >/dev/null 2>&1; then \
	    echo "skipped: debootstrap cannot get Debian's packages"; \
	else $(MAKE) deb STATIC_PROFILE=dev && MULTIHOP_DEBIAN=$(DEBIAN) $(BIN)/pytest tests/test_debian.py; fi

# ns-3's own classes are C++: what lies between them and the engine is, too.
NS3 := crates/ns3/cpp
NS3_FLAGS := -std=c++17 -O2 -Wall -Wextra
NS3_LIBRARIES := -lns3-wifi -lns3-propagation -lns3-mobility -lns3-network -lns3-core
HAS_NS3 := echo '\#include "ns3/wifi-module.h"' | $(CXX) -std=c++17 -x c++ -fsyntax-only - >/dev/null 2>&1

target/release/multihop-ns3: $(RUST) $(wildcard $(NS3)/*)
	@$(HAS_NS3) || { echo "there is no ns-3 to build with: apt-get install g++ libns3-dev" >&2; exit 1; }
	cargo build --release -p multihop-ns3
	$(CXX) $(NS3_FLAGS) $(NS3)/main.cc $(NS3)/network.cc target/release/libmultihop_ns3.a $(NS3_LIBRARIES) -o $@

ns3: target/release/multihop-ns3

ns3-test: $(VENV)/developer ns3
	MULTIHOP_NS3=1 $(BIN)/pytest tests/test_ns3.py

# What CI calls: it says what is missing, and does not fail for that.
ns3-some:
	@if $(HAS_NS3); then $(MAKE) ns3-test; \
	else echo "skipped: there is no ns-3 (apt-get install g++ libns3-dev)"; fi

lab-demo: $(VENV)/installed linux
	$(BIN)/multihop lab demo

# Ten nodes under faults at random; it says what is missing where there can be no lab.
soak: $(VENV)/installed linux
	$(BIN)/python benches/soak.py --minutes $(SOAK_MINUTES)

operations: $(VENV)/installed linux
	cargo build --quiet -p multihop-testkit --example operations
	$(BIN)/python benches/operations.py --lists $(OPERATION_LISTS)

# What is published, in dist/release; packaging/release.py says how a version is set.
release: $(VENV)/developer
	$(BIN)/python packaging/release.py build

wheel: | $(VENV)/maturin
	$(BIN)/python benches/wheel.py

clean:
	rm -rf $(VENV) $(LOWEST) $(MUTANTS) .bootstrap target results dist

# Python without ensurepip (Debian without python3-venv) makes its environment with virtualenv.
define environment
$(PYTHON) -m venv $(1) 2>/dev/null || { rm -rf $(1) && \
    $(PYTHON) -m pip install --quiet --target .bootstrap virtualenv && \
    PYTHONPATH=.bootstrap $(PYTHON) -m virtualenv --quiet $(1); }
endef

$(LOWEST)/made: pyproject.toml tests/lowest.py | $(BIN)/python
	$(call environment,$(LOWEST))
	$(BIN)/python tests/lowest.py > $(LOWEST)/requirements.txt
	$(LOWEST)/bin/python -m pip install --quiet --disable-pip-version-check \
	    -r $(LOWEST)/requirements.txt $(TESTERS)
	$(LOWEST)/bin/python $(BESIDE)
	printf '#!/bin/sh\nexec %s -m multihop "$$@"\n' "$(abspath $(LOWEST))/bin/python" > $(LOWEST)/bin/multihop
	chmod +x $(LOWEST)/bin/multihop
	touch $@

$(MUTANTS)/made: | $(BIN)/python
	$(call environment,$(MUTANTS))
	$(MUTANTS)/bin/python -m pip install --quiet --disable-pip-version-check 'cosmic-ray>=8.7,<9'
	touch $@

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo \
	    "multihop needs Python 3.11 or newer: make PYTHON=python3.12, for instance" >&2; exit 1; }
	$(call environment,$(VENV))

$(VENV)/maturin: | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check 'maturin>=1.13,<2'
	touch $@

# The package is installed in place: Python files count as they are, Rust is built anew.
$(VENV)/installed: $(RUST) packages/papers/pyproject.toml packages/validation/pyproject.toml | $(VENV)/maturin
	PIP_QUIET=1 $(BIN)/maturin develop --release --quiet --extras reproduce
	$(BIN)/python $(BESIDE)
	touch $@

$(VENV)/developer: $(VENV)/installed
	PIP_QUIET=1 $(BIN)/maturin develop --release --quiet --extras reproduce,dev
	$(BIN)/python $(BESIDE)
	touch $@
