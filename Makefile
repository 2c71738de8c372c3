# SPDX-License-Identifier: Apache-2.0
# Shortcuts; the build itself is CMake. BUILD=DIR builds elsewhere, PREFIX and DESTDIR as usual.
BUILD ?= build
PREFIX ?= /usr/local
export BUILD DESTDIR
MAKEFLAGS += --no-print-directory

.PHONY: help deps build demo test fresh lint format fuzz campaign interop cosim docs vscode bench bench-table bench-check web web-test wheel install uninstall clean

help:
	@echo "make deps       install what build, tests and lint need (Debian, Ubuntu)"
	@echo "make build      libtensix.a, libtensix.so and the command tensix in $(BUILD)/"
	@echo "make demo       a reciprocal kernel over a tile file, on both chips"
	@echo "make test       build everything and run every test, or a part: TESTS=REGEX"
	@echo "make fresh      demo and test in a bare Debian 12, as root and as a user with sudo (root, mmdebstrap)"
	@echo "make lint       format, clang-tidy, layers, style, citations"
	@echo "make format     let clang-format rewrite the C files"
	@echo "make fuzz       fuzz every entry point, FUZZ_SECONDS=60 each"
	@echo "make campaign   the long runs, or one of them: ONLY=NAME; FORCE=1 repeats"
	@echo "make vscode     the extension for VS Code, as build/interop/tensix-VERSION.vsix (npm)"
	@echo "make interop    the wheel with PyPI's tools; kernels and tests of LLK=DIR (tt-llk), TTSIM=DIR (ttsim);"
	@echo "                KIT=DIR alone: tt-llk's own pytest files on the door, with the vendor's compiler"
	@echo "make cosim      random words beside TTSIM=DIR (a built checkout of ttsim): COUNT, SEED, CLASS, CHIP"
	@echo "make bench      build and run the benchmarks"
	@echo "make bench-table  its tables into bench/README.md, with TTSIM=DIR the one beside ttsim, too"
	@echo "make bench-check  this tree against BASE=COMMIT: fails where it is 10 % slower"
	@echo "make web        the page for the browser in $(BUILD)/web/ (docs/web.md)"
	@echo "make web-test   its tests, in a Chromium without a window"
	@echo "make docs       the documents as a searchable site in build/docs/ (MkDocs from PyPI)"
	@echo "make wheel      the Python package with libraries and command, in $(BUILD)/wheel/"
	@echo "make install    below PREFIX ($(PREFIX)), honours DESTDIR"
	@echo "make uninstall  remove what install wrote below PREFIX, honours DESTDIR"
	@echo "make clean      remove $(BUILD)/"

deps:
	scripts/deps.sh

build:
	scripts/build.sh

demo:
	scripts/demo.sh

test:
	scripts/test.sh $(if $(TESTS),-R '$(TESTS)')

fresh:
	scripts/fresh.sh

lint:
	scripts/lint.sh

format:
	scripts/format.sh

fuzz:
	scripts/fuzz.sh

campaign:
	scripts/campaign.sh $(ONLY)

interop:
	KIT="$(KIT)" scripts/interop.sh "$(LLK)"

cosim:
	TTSIM="$(TTSIM)" scripts/cosim.sh

vscode:
	tests/interop/vscode.sh

bench:
	scripts/bench.sh

bench-table:
	scripts/bench.sh --table

bench-check:
	scripts/bench_check.sh

web:
	scripts/web.sh

web-test:
	tests/web/run.sh

docs:
	scripts/docs.sh

wheel:
	scripts/wheel.sh

install: build
	cmake --install $(BUILD) --prefix $(PREFIX)

uninstall:
	cmake -DPREFIX=$(PREFIX) -P $(BUILD)/uninstall.cmake

clean:
	rm -rf $(BUILD)
