#!/usr/bin/env bash
# Everything that must pass before a change lands.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/env.sh
. scripts/beside.sh
began=$SECONDS
proving="$(scripts/proven.sh begin)"
times=""
stage="" since=0
# step NAME begins a stage and notes how long the one before took.
step() {
  [ -z "$stage" ] || times+="$(printf '%6d s  %s' $((SECONDS - since)) "$stage")"$'\n'
  stage="$1" since=$SECONDS
  printf '\n=== %s (%d s)\n' "$1" $((SECONDS - began))
}
export LIGHTBAR_TESTDATA="${LIGHTBAR_TESTDATA:-$PWD/../shared/data}"
export LIGHTBAR_REQUIRE_POSTGRES=1
[ -d "$LIGHTBAR_TESTDATA" ] || echo "!!! test data is missing at $LIGHTBAR_TESTDATA: tests on recorded data will be skipped"

step "build"
make --no-print-directory build
size=$(stat -c %s bin/lightbar)
[ "$size" -le $((90 * 1024 * 1024)) ] || { echo "bin/lightbar has $size bytes, more than 90 MB"; exit 1; }

step "lint, types, laws"
scripts/check.sh

step "what we take from others"
scripts/audit.sh --offline
scripts/licenses.sh

# They keep one core busy; the other and the gaps are for Go.
beside "web unit tests" bash -c 'cd web && npx vitest run'

step "Go tests with the race detector (volume tests excluded)"
# SQLite, translated to Go, and the password hash are watched from outside alone: their own code halves the speed.
unwatched=(modernc.org/sqlite/lib modernc.org/libc golang.org/x/crypto/argon2 golang.org/x/crypto/blake2b)
flags=()
for package in "${unwatched[@]}"; do flags+=("-gcflags=$package=-race=false"); done
CGO_ENABLED=1 go test -race -short -timeout 20m "${flags[@]}" ./...
joined "web unit tests"

step "volume tests, without the race detector"
volume="$(scripts/volume.sh)"
mapfile -t packages < <(cut -d' ' -f1 <<<"$volume" | sort -u)
LIGHTBAR_BINARY="$PWD/bin/lightbar" go test -timeout 20m -run "^($(cut -d' ' -f2 <<<"$volume" | paste -sd'|'))\$" "${packages[@]}"

step "fuzzing, a short turn of each target"
scripts/fuzz.sh 85x

step "browser journeys"
(cd web && LIGHTBAR_BINARY="$PWD/../bin/lightbar" LIGHTBAR_REGION="$(../scripts/region.sh)" npx vitest run --config e2e/vitest.config.ts)

step "specification"
[ ! -f "${LIGHTBAR_SPEC:-../shared/spec-checklist.tsv}" ] || scripts/spec.sh

step "done"
printf '%s' "$times"
scripts/proven.sh note "$proving"
