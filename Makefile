# SPDX-License-Identifier: MIT
# Thin: CMake builds, CTest tests, the lab measures. See `make help`.
PREFIX ?= /usr/local
BUILD := build
CONFIGURE := cmake -G Ninja -S .
CTEST := ctest -j2 --output-on-failure --test-dir

.PHONY: help demo test prove bench results install setup build clean
help: ## this list
	@sed -n 's/^\([a-z]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | expand -t 10

demo: ## set up, and see what a lock costs here and what priority inversion does
	@.ci/demo

test: setup ## set up, and pass every test
	@.ci/privilege
	$(CONFIGURE) -B $(BUILD)
	cmake --build $(BUILD)
	$(CTEST) $(BUILD)
	$(CONFIGURE) -B $(BUILD)/sanitize -DPLF_SANITIZE=address,undefined
	cmake --build $(BUILD)/sanitize
	$(CTEST) $(BUILD)/sanitize
	$(CONFIGURE) -B $(BUILD)/aarch64 --toolchain .ci/aarch64.cmake
	cmake --build $(BUILD)/aarch64
	$(CTEST) $(BUILD)/aarch64

prove: ## the proofs alone: every boundary, every pair, every mutant
	@./plafond prove

bench: ## what a lock costs, beside its rivals
	@./plafond bench locks

results: build ## measure and prove again, and write the figures into docs/ and the README
	@.ci/results

install: build ## the library, its headers and packages, to PREFIX
	cmake --install $(BUILD) --prefix $(PREFIX)

setup:
	@.ci/setup
	@.ci/venv test

build: setup
	@$(CONFIGURE) -B $(BUILD) >/dev/null
	@cmake --build $(BUILD)

clean: ## remove everything that was built
	rm -rf $(BUILD)
