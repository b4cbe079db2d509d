#!/usr/bin/env bash
# Lint, types, laws: what a commit must pass, in a minute of a machine with two cores whose caches are warm.
#   scripts/check.sh              all
#   scripts/check.sh --no-tests   without the tests of laws and contract: make test runs them with the others
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/env.sh
. scripts/beside.sh
step() { printf '\n== %s\n' "$1"; }

# The two long ones, each on about a core, beside all the others. tsc reads again what changed since its last run.
beside "types, biome, unused web exports" bash -ec 'cd web
  npx tsc --noEmit -p . --incremental --tsBuildInfoFile node_modules/.cache/tsc.json
  npx biome check --error-on-warnings .
  npx knip --no-progress'
beside "unused Go code" scripts/deadcode.sh
step "gofmt"
unformatted="$(git ls-files -co --exclude-standard '*.go' | xargs gofmt -l)"
[ -z "$unformatted" ] || { echo "not formatted:"; echo "$unformatted"; exit 1; }
step "no long lines"
scripts/lines.sh
step "go vet"
go vet ./...
step "requirements that are named exist"
node scripts/spec.mjs >/dev/null

step "which tests run in which pass"
scripts/passes.sh | cut -d' ' -f1 | uniq -c
if [ "${1:-}" != --no-tests ]; then
  step "laws: imports, the catalog; the contract: what the server says, recorded and published"
  go test -vet=off ./internal/laws/ ./internal/testkit/contract
fi
step "the API document and the web's types agree"
scripts/openapi.sh --check
joined "unused Go code"
joined "types, biome, unused web exports"
