#!/usr/bin/env bash
# Lint, types, laws: what a commit must pass, in under a minute.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/env.sh
. scripts/beside.sh
step() { printf '\n== %s\n' "$1"; }

# One program of the web's after the other keeps one core; Go has the rest.
beside "types, biome, unused web exports" bash -ec 'cd web; npx tsc --noEmit -p .; npx biome check --error-on-warnings .; npx knip --no-progress'
step "gofmt"
unformatted="$(git ls-files -co --exclude-standard '*.go' | xargs gofmt -l)"
[ -z "$unformatted" ] || { echo "not formatted:"; echo "$unformatted"; exit 1; }
step "go vet"
go vet ./...
step "no long lines"
scripts/lines.sh
step "laws: imports, the catalog"
go test ./internal/laws/
step "the contract: what the server says, recorded and published"
go test ./internal/testkit/contract
step "unused Go code"
scripts/deadcode.sh
step "the API document and the web's types agree"
scripts/openapi.sh --check
joined "types, biome, unused web exports"
