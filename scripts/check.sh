#!/usr/bin/env bash
# Lint, types, laws: what a commit must pass, in under a minute.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/env.sh
step() { printf '\n== %s\n' "$1"; }

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
cd web
step "types"
npx tsc --noEmit -p .
step "biome"
npx biome check --error-on-warnings .
step "unused web exports"
npx knip --no-progress
