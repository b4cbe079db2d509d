# Two commands do everything on a fresh machine: make run, make test.
SHELL := /bin/bash
.DEFAULT_GOAL := help
export GOTOOLCHAIN ?= auto
ifeq ($(GOTOOLCHAIN),local)
export GOTOOLCHAIN := auto
endif
export CGO_ENABLED ?= 0

VERSION := $(shell git describe --tags --always --dirty 2>/dev/null || echo dev)
GO_SOURCES := $(shell find . -name '*.go' -not -path './web/node_modules/*' -not -name '*_test.go') go.mod go.sum \
	$(shell find catalog internal/store/migrations -name '*.json' -o -name '*.sql') $(shell find internal -type f -path '*/page*' )
WEB_SOURCES := $(shell find web/src web/public catalog -type f -not -path 'web/public/map/*' 2>/dev/null) web/index.html web/vite.config.ts web/package-lock.json

.PHONY: help run dev build package test check check-fresh bench spec authz audit sbom fuzz clean licenses

help: ## this list, and whether HEAD is proven
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /  make \1|/' | column -t -s '|'
	@scripts/proven.sh

run: ## install what is missing, build, prepare the demo, serve it on http://localhost:8080
	@scripts/setup.sh run
	@$(MAKE) --no-print-directory bin/lightbar
	@region="$$(scripts/region.sh)" && exec bin/lightbar demo --data data/demo --region "$$region" $(DEMO_FLAGS)

dev: ## hot reload: the demo server on :8080, the web app with Vite on http://localhost:5173
	@scripts/setup.sh run
	@$(MAKE) --no-print-directory bin/lightbar
	@scripts/dev.sh

build: bin/lightbar ## one static binary with the web app inside: bin/lightbar

bin/lightbar: $(GO_SOURCES) web/dist/index.html
	@echo "building the server"
	@go build -buildvcs=false -trimpath -gcflags=all=-dwarf=false -ldflags "-s -w -X main.version=$(VERSION)" -o $@ ./cmd/lightbar

package: bin/lightbar ## a Debian package of it for servers: bin/lightbar_VERSION_ARCHITECTURE.deb
	@scripts/package.sh bin/lightbar bin

web/node_modules/.package-lock.json: web/package.json web/package-lock.json
	@echo "installing the web app's packages"
	@# Not npm ci: it refuses a lock without the packages of platforms that a registry mirror does not carry.
	@cd web && npm install --no-save --ignore-scripts --no-audit --no-fund --loglevel=error
	@touch $@

web/public/map/base.pmtiles: web/node_modules/.package-lock.json scripts/basemap.sh $(wildcard web/scripts/basemap/*) $(wildcard internal/geo/tiles/cmd/basemap/*.go)
	@echo "baking the base map"
	@scripts/basemap.sh && touch $@

web/dist/index.html: web/node_modules/.package-lock.json web/public/map/base.pmtiles $(WEB_SOURCES)
	@echo "building the web app"
	@cd web && npx vite build --logLevel warn && touch dist/.keep

test: ## everything: Go with the race detector, SQLite and PostgreSQL, web, browser journeys, linters, laws
	@scripts/setup.sh test
	@scripts/test.sh

check: web/node_modules/.package-lock.json ## lint, types, laws: what a commit must pass
	@scripts/check.sh

check-fresh: ## make run and make test as a new machine runs them: a clone, empty caches
	@scripts/fresh.sh

bench: ## the table of docs/benchmarks.md
	@scripts/setup.sh test
	@$(MAKE) --no-print-directory bin/lightbar
	@scripts/bench.sh

authz: ## who may call what: every operation, every role, every reach, walked on a real server
	@go test -count=1 -run TestWalk ./internal/testkit/authz >/dev/null || { go test -count=1 -run TestWalk ./internal/testkit/authz; exit 1; }
	@cat internal/testkit/authz/testdata/authz.golden

spec: ## requirements (docs/requirements) that no test names
	@node scripts/spec.mjs --missing

audit: ## what we take from others: locked, verified, without holes that are known
	@scripts/audit.sh

sbom: bin/lightbar ## the bill of materials of the binary: bin/sbom.json (CycloneDX)
	@node scripts/sbom.mjs bin/lightbar bin/sbom.json

fuzz: ## every decoder against hostile input, 26 s each (FUZZ_TIME=…)
	@scripts/fuzz.sh $(or $(FUZZ_TIME),26s)

licenses: ## fail on a dependency that is not permissive
	@scripts/licenses.sh

clean: ## remove what was built (data stays)
	@rm -rf bin web/dist/assets web/dist/index.html web/dist/map web/public/map
