# fstore: make lists its targets with "make help". Only Go is needed to build;
# test, lint and e2e fetch what else they use.

GO      ?= go
BIN     := bin/fstore
TOOL    := $(GO) tool -modfile=.tools/go.mod
PACKAGES := bench cli decode index mine store
VERSION ?= $(shell git describe --tags --always --dirty 2>/dev/null || echo unknown)
BUILD   := $(GO) build -trimpath -buildvcs=false -ldflags '-s -w -X fstore/cli/command.version=$(VERSION)'
SYSTEMS := linux darwin windows
ARCHS   := amd64 arm64
PKG     ?= ./...
FUZZTIME ?= 20s

.PHONY: build help demo test crash readers long metamorphic faults rates lint fmt cross wheels bench golden reproduce-pm10 reproduce-si05 reproduce-ql15 reproduce-cd01 e2e e2e-windows e2e-slurm e2e-kubernetes picture fuzz clean

## build: the binary, bin/fstore
build:
	CGO_ENABLED=0 $(BUILD) -o $(BIN) ./cli/fstore

## help: this list
help:
	@sed -n 's/^## //p' $(MAKEFILE_LIST)

## demo: a store from the sample treebank, and what one does with it
demo: build
	@.tools/demo

# The race detector needs a C compiler. Without GORACE each process of fstore that a test runs would wait
# for a second when it ends.
CC_FOUND = $(shell for c in gcc clang cc; do command -v $$c && break; done)
export GORACE ?= atexit_sleep_ms=0

## test: all tests, under the race detector where there is a C compiler
test:
	$(if $(CC_FOUND),CGO_ENABLED=1 $(GO) test -race,CGO_ENABLED=0 $(GO) test) -timeout 45m $(PKG)

## crash: processes of every kind of writer killed at KILLS (200) random instants, and the runs after them, which are killed too
KILLS ?= 200
crash:
	CGO_ENABLED=0 $(GO) test -count=1 -timeout 0 -v -run '^TestKill$$' ./cli -kills $(KILLS)

## readers: 8 readers and writers of every kind of one store for READTIME (2m), under the race detector where there is a C compiler
READTIME ?= 2m
readers:
	$(if $(CC_FOUND),CGO_ENABLED=1 $(GO) test -race,CGO_ENABLED=0 $(GO) test) -count=1 -v -run '^TestReaders$$' ./mine/maintain -readers 8 -read-for $(READTIME)

## rates: error rates under RELABELLINGS (200) random labellings with a new seed, and of the treebanks of DATA under 40 where it is named; a failure prints its seed
RELABELLINGS ?= 200
PERMUTATIONS ?= 1000
rates:
	CGO_ENABLED=0 $(GO) test -count=1 -timeout 60m -v -run '^TestErrorRate$$' ./mine/selection -relabellings $(RELABELLINGS) -permutations $(PERMUTATIONS) -relabel-seed 0
	$(if $(DATA),FSTORE_DATA='$(abspath $(DATA))' CGO_ENABLED=0 $(GO) test -count=1 -timeout 60m -v -run '^TestErrorRateOfGUM$$' ./bench -relabellings 40 -relabel-seed 0)

## long: what takes hours and not minutes, one after the other: 1,000 kills, deep chains, metamorphic, readers, faults, rates, e2e-windows, e2e-slurm, e2e-kubernetes
long:
	$(MAKE) crash KILLS=$(if $(filter file,$(origin KILLS)),1000,$(KILLS))
	CGO_ENABLED=0 $(GO) test -count=1 -timeout 10m -v -run '^TestDeepChains$$' ./cli -chains 10000
	$(MAKE) metamorphic
	$(MAKE) readers
	$(MAKE) faults
	$(MAKE) rates
	$(MAKE) e2e-windows
	$(MAKE) e2e-slurm
	$(MAKE) e2e-kubernetes

## metamorphic: random command lines, faults and damage for METATIME (10m) with new seeds, compared with a model in memory; a failure prints its seed, and SEED=N repeats it
METATIME ?= 10m
metamorphic:
	CGO_ENABLED=0 $(GO) test -count=1 -timeout 0 -v -run '^TestMetamorphic$$' ./cli/metamorphic $(if $(SEED),-seed $(SEED),-for $(METATIME))

## faults: every command that writes, with each fault of the disk and a crash at POINTS (200) of its operations on files
POINTS ?= 200
faults:
	CGO_ENABLED=0 $(GO) test -count=1 -timeout 60m -v -run '^Test(Faults|FaultsOfReaders|ReadOnly)$$' ./cli/metamorphic -points $(POINTS)

## lint: gofumpt, go vet for every system, staticcheck, and imports that run downwards only
# Other systems are vetted as cross builds for them, so that what is compiled is compiled once.
lint:
	@unformatted=$$($(TOOL) gofumpt -l $(wildcard $(PACKAGES))); \
	if [ -n "$$unformatted" ]; then echo "not formatted (make fmt):"; echo "$$unformatted"; exit 1; fi
	$(GO) vet ./...
	@for os in $(filter-out $(shell $(GO) env GOOS),$(SYSTEMS)); do \
		echo "GOOS=$$os $(GO) vet -trimpath ./..."; \
		CGO_ENABLED=0 GOOS=$$os $(GO) vet -trimpath ./... || exit 1; \
	done
	$(TOOL) staticcheck ./...
	GO="$(GO)" .tools/layers

## fmt: format every file
fmt:
	$(TOOL) gofumpt -w $(wildcard $(PACKAGES))

## cross: binaries for every system, in bin/cross
cross:
	@for os in $(SYSTEMS); do for arch in $(ARCHS); do \
		out=bin/cross/fstore-$$os-$$arch; if [ $$os = windows ]; then out=$$out.exe; fi; \
		echo $$out; \
		CGO_ENABLED=0 GOOS=$$os GOARCH=$$arch $(BUILD) -o $$out ./cli/fstore || exit 1; \
	done; done

## wheels: the Python package with the binary of each system, in bin/wheels
wheels: cross
	$(GO) run ./cli/python/wheels -version '$(VERSION)' -o bin/wheels \
		manylinux_2_17_x86_64=bin/cross/fstore-linux-amd64 manylinux_2_17_aarch64=bin/cross/fstore-linux-arm64 \
		macosx_12_0_x86_64=bin/cross/fstore-darwin-amd64 macosx_12_0_arm64=bin/cross/fstore-darwin-arm64 \
		win_amd64=bin/cross/fstore-windows-amd64.exe

# What is measured on treebanks of DATA: it is not part of the project.
NEED_DATA = $(if $(DATA),,$(error name the treebanks: make $@ DATA=dir))

## bench: benchmarks on the treebanks of DATA; compare two runs with: go tool -modfile=.tools/go.mod benchstat OLD NEW
bench:
	$(NEED_DATA)FSTORE_DATA='$(abspath $(DATA))' $(GO) test -run '^$$' -bench . -benchtime 3x -timeout 0 ./bench

## golden: tests against the values of independent programs in DATA, and the pages of bench
golden:
	$(NEED_DATA)FSTORE_DATA='$(abspath $(DATA))' $(GO) test -count=1 -timeout 60m ./bench ./decode/... ./index/...
	FSTORE_DATA='$(abspath $(DATA))' $(GO) test -count=1 -timeout 60m -run '^TestDocsOfData$$' ./cli

## reproduce-pm10: tables and figures of Pighin & Moschitti (2010) from the questions in DATA; plots go to bench/out
## reproduce-si05: table 2 of Suzuki & Isozaki (2005) from them; ARGS="-lambdas 0.1,0.3,0.5,0.7,0.9" chooses the decay too
reproduce-pm10 reproduce-si05: reproduce-%:
	$(NEED_DATA)$(GO) run ./bench/reproduce -data '$(abspath $(DATA))' $(ARGS) $*

## reproduce-ql15: table 2 of Qian & Liu (2015) from the K-best lists of DATA; ARGS="-systems templates,dep" chooses rows, "-counts 10,5,3" adds table 3
reproduce-ql15: build
	$(NEED_DATA)$(GO) run ./bench/reproduce/ql15 -data '$(abspath $(DATA))' -fstore $(BIN) $(ARGS)

## reproduce-cd01: tables 1 and 2 of Collins & Duffy (2001) on GUM's trees in DATA, by a PCFG's 100 best; ARGS="-splits 2" is faster
reproduce-cd01: build
	$(NEED_DATA)$(GO) run ./bench/reproduce/cd01 -data '$(abspath $(DATA))' -fstore $(BIN) $(ARGS)

## e2e: train LIBLINEAR, LIBSVM and scikit-learn on what fstore writes, of the treebanks of DATA too where it is named
e2e:
	$(if $(DATA),FSTORE_DATA='$(abspath $(DATA))') GO="$(GO)" .tools/e2e

## picture: the picture of the explorer in the README, cli/serve/explorer.webp; it needs Chromium
picture:
	cd cli/e2e/browser && FSTORE_PICTURE='$(CURDIR)/cli/serve/explorer.webp' $(GO) test -count=1 -run '^TestPicture$$' .

## e2e-windows: the Windows binary under Wine, alone and beside a reader, compared with the binary of this machine
e2e-windows:
	GO="$(GO)" .tools/e2e-windows

## e2e-slurm: one build in many tasks on a Slurm of this machine, three nodes, three tasks killed, compared with one build
e2e-slurm:
	GO="$(GO)" .tools/e2e-slurm

## e2e-kubernetes: the manifest of a job against the types that Kubernetes publishes for a batch/v1 Job
e2e-kubernetes: build
	GO="$(GO)" .tools/e2e-kubernetes

## fuzz: every fuzz test of PKG for FUZZTIME (20s) each
fuzz:
	@for p in $$($(GO) list $(PKG)); do \
		for f in $$($(GO) test -list '^Fuzz' $$p | grep '^Fuzz'); do \
			echo "$$p $$f"; $(GO) test -run '^$$' -fuzz "^$$f$$" -fuzztime $(FUZZTIME) $$p || exit 1; \
		done; \
	done

## clean: remove what these targets made
clean:
	rm -rf bin demo.store demo.svmlight
