# SPDX-License-Identifier: MIT
# Thin: CMake builds, CTest tests, the lab measures. See `make help`.
PREFIX ?= /usr/local
BUILD := build
CONFIGURE := cmake -G Ninja -S . -DBUILD_TESTING=ON -DPLF_BENCH=ON
CTEST := ctest -j3 --output-on-failure --test-dir
# Leaves out the tests that passed with the same inputs.
REST := $(BUILD)/venv/bin/python .ci/rest
TREES := native-tree sanitize-tree aarch64-tree
ALL_TESTS := OFF
EVERY_IMAGE := OFF
NOTED := .ci/noted $(BUILD)/costs
PROVE := # --all, --sample=SEED or --renew: without any, what is certified is not proved or tested again
# Some environments forbid it; here Python starts hundreds of times.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help demo test check test-first test-all test-rest prove bench results install uninstall deb setup packages \
	venv build clean guest $(TREES)
help: ## this list
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | expand -t 10

demo: ## set up, and see what a lock costs here and what priority inversion does
	@.ci/demo

test: ## set up, and pass the tests: minutes, the proofs in their smallest scenes
	@rm -rf $(BUILD)/costs
	@$(NOTED)/total.make-test $(MAKE) --no-print-directory test-first; status=$$?; \
		.ci/costs --of 'make test' 850; exit $$status

check: setup ## the tests that a change can break, the nearest first: less than two minutes
	@$(BUILD)/venv/bin/python .ci/changed

test-first: packages # what test is, but for its costs
	@.ci/privilege
	@$(MAKE) --no-print-directory -j3 guest venv native-tree sanitize-tree
	$(CTEST) $(BUILD)
	@echo "Left to make test-all: the rest of each proof and of the boards; guests of two CPUs, of Linux 7.x and"
	@echo "of AArch64; the Debian packages; the crate for Rust; programs of other people. See CONTRIBUTING.md."

test-all: ## set up, and pass every test there is: every scene, pair and guest, each mutant that is not argued
	@$(MAKE) --no-print-directory PROVE=--all test
	@$(MAKE) --no-print-directory PROVE=--all test-rest EVERY_IMAGE=ON

test-rest: # what .ci/run adds: all of test-all, but of the kernel's images a selection in pairs
	@.ci/setup deb all aarch64
	@$(MAKE) --no-print-directory -j2 ALL_TESTS=ON venv native-tree aarch64-tree
	$(REST) native $(PROVE)
	$(REST) aarch64 $(PROVE)

prove: ## the proofs alone: every boundary, every pair, every mutant
	@./plafond prove

bench: ## what a lock costs, beside its rivals
	@./plafond bench locks

results: build ## measure and prove again, and write the figures into docs/ and the README
	@.ci/results

install: ## the libraries, the command and its man page, to PREFIX; needs gcc and CMake
	cmake -S . -B $(BUILD)/release -DBUILD_TESTING=OFF -DPLF_BENCH=OFF
	cmake --build $(BUILD)/release --parallel
	cmake --install $(BUILD)/release --prefix $(PREFIX)

uninstall: ## remove the files of the last `make install`
	@.ci/uninstall $(BUILD)/release/install_manifest.txt

deb: ## Debian packages, into build/deb; needs the set `deb` of .ci/packages.txt
	@.ci/setup deb
	@linux/packages/build $(BUILD)/deb

setup: venv

packages:
	@.ci/setup core bench board vm test

venv: packages
	@$(NOTED)/set-up.venv .ci/venv test

build: setup
	@$(CONFIGURE) -B $(BUILD) >/dev/null
	@cmake --build $(BUILD)

native-tree: # the builds give way to the environment, which takes as long as both
	$(CONFIGURE) -B $(BUILD) -DPLF_ALL_TESTS=$(ALL_TESTS) -DPLF_EVERY_IMAGE=$(EVERY_IMAGE) -DPLF_PROVE=$(PROVE)
	$(NOTED)/build.native nice cmake --build $(BUILD)

sanitize-tree:
	$(NOTED)/build.sanitize nice .ci/sanitized --build $(BUILD)/sanitize

guest: # fetched while the compiler is busy; without it, tests fail and say why
	-@$(NOTED)/set-up.guest linux/vm/fetch-kernel 6.12 $(BUILD)/vm/6.12

aarch64-tree:
	$(CONFIGURE) -B $(BUILD)/aarch64 --toolchain .ci/aarch64.cmake
	cmake --build $(BUILD)/aarch64

clean: ## remove everything that was built
	rm -rf $(BUILD)
