# Makefile - one command each: `make demo`, `make test`; each installs, configures and builds what it needs.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
.PHONY: build test demo sweep check format clean
JOBS ?= $(shell nproc)
TOOLS := tile-run tile-translate tile-opt

build: build/build.ninja
	@ninja -C build -j $(JOBS) --quiet

test: build
	@ctest --test-dir build -j $(JOBS) --output-on-failure

demo: build/build.ninja
	@ninja -C build -j $(JOBS) --quiet $(addprefix bin/,$(TOOLS))
	@python3 scripts/demo.py build/bin

# Every example, and scans and reductions in any layout, at awkward sizes and numbers of threads; the tests run a part.
sweep: build
	@python3 test/sweep_examples.py build/bin/tile-run examples --full
	@python3 test/sweep_rows.py build/bin/tile-opt build/bin/tile-run benchmark/operators --full \
	  --out benchmark/results/row-sweep.json
	@python3 test/fuzz/rows.py build/bin/tile-run --seed 7 --count 3000 --seconds 3600

# Layering, names, headers, lengths, formatting, kernels under NVRTC: what CI checks besides the tests.
check: build
	@python3 scripts/check_structure.py
	@bash scripts/check_kernels.sh build/bin

format: install
	@git ls-files '*.cpp' '*.h' | xargs clang-format-22 -i

build/build.ninja: install
	@test -e $@ || cmake --preset dev

.PHONY: install
install:
	@scripts/install.sh

clean:
	@rm -rf build
