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
if [ ! -d "$LIGHTBAR_TESTDATA" ]; then
  echo "!!! test data is missing at $LIGHTBAR_TESTDATA: tests on recorded data will be skipped"
  proving="" # then not all is proved
fi

# Databases of tests lie in memory, where there is plenty: they sync at each commit, and a busy disk takes a third of the time.
# Nothing here is told of a disk but what tests of full and failing ones make for themselves.
inMemory="$(awk '/^MemAvailable/ { print int($2 / 1048576) }' /proc/meminfo 2>/dev/null || echo 0)"
roomThere="$(df -Pk /dev/shm 2>/dev/null | awk 'NR == 2 { print int($4 / 1048576) }' || true)"
if [ "$inMemory" -ge 12 ] && [ "${roomThere:-0}" -ge 8 ]; then
  export GOTMPDIR="${GOTMPDIR:-${TMPDIR:-/tmp}}"
  TMPDIR="$(mktemp -d /dev/shm/lightbar.XXXXXX)"
  export TMPDIR
  trap 'end_besides; rm -rf "$TMPDIR"' EXIT
fi

# npm waits for the network and Vite has one core: meanwhile Go looks at, and so compiles, all that needs no web app.
step "build"
beside "go vet, of what needs no web app" go vet ./catalog/... ./internal/...
make --no-print-directory web/dist/index.html
joined "go vet, of what needs no web app"
make --no-print-directory build
size=$(stat -c %s bin/lightbar)
[ "$size" -le $((90 * 1024 * 1024)) ] || { echo "bin/lightbar has $size bytes, more than 90 MB"; exit 1; }

step "lint, types, laws"
scripts/check.sh --no-tests

step "what we take from others"
scripts/audit.sh --offline
scripts/licenses.sh

# They keep one core busy; the other and the gaps are for Go.
beside "web unit tests" bash -c 'cd web && npx vitest run'

# vet ran on everything, and a test that is listed twice by scripts/passes.sh does something else the second time.
step "Go tests with the race detector, on SQLite"
passes="$(scripts/passes.sh)"
of() { sed -n "s/^$1 //p" <<<"$passes"; }
named() { echo "^($(cut -d' ' -f2 <<<"$1" | sort -u | paste -sd'|'))\$"; }
packages() { cut -d' ' -f1 <<<"$1" | sort -u; }
mapfile -t watched < <(of watched)
mapfile -t whole < <(of whole)
volume="$(of volume)" postgres="$(of postgres)"
mapfile -t volume_in < <(packages "$volume" | grep testkit; packages "$volume" | grep -v testkit)
mapfile -t postgres_in < <(packages "$postgres")
# SQLite, translated to Go, and the password hash are watched from outside alone: their own code halves the speed.
unwatched=(modernc.org/sqlite/lib modernc.org/libc golang.org/x/crypto/argon2 golang.org/x/crypto/blake2b)
flags=()
for package in "${unwatched[@]}"; do flags+=("-gcflags=$package=-race=false -dwarf=false"); done
LIGHTBAR_TEST_ENGINES=sqlite LIGHTBAR_TESTS_ON_POSTGRES="$postgres"$'\n'"$volume" CGO_ENABLED=1 \
  go test -race -short -vet=off -timeout 20m "${flags[@]}" "${watched[@]}"
joined "web unit tests"

# Each waits now and then: for the database, for the disk, for a process that it has killed. The walks of testkit, the longest, begin.
# Fuzzing measures nothing: the gaps are for it, also those of journeys, which wait for answers between bursts.
step "Go tests without it: PostgreSQL, packages without goroutines, volume"
export LIGHTBAR_BINARY="$PWD/bin/lightbar"
beside "fuzzing, a short turn of each target" nice -n 15 scripts/fuzz.sh 85x
beside "PostgreSQL" env LIGHTBAR_TEST_ENGINES=postgres go test -vet=off -timeout 20m -run "$(named "$postgres")" "${postgres_in[@]}"
beside "packages without goroutines" go test -vet=off -timeout 20m "${whole[@]}"
go test -vet=off -timeout 20m -run "$(named "$volume")" "${volume_in[@]}"
joined "PostgreSQL"
joined "packages without goroutines"

step "browser journeys"
(cd web && LIGHTBAR_REGION="$(../scripts/region.sh)" npx vitest run --config e2e/vitest.config.ts)
joined "fuzzing, a short turn of each target"

step "requirements"
node scripts/spec.mjs

step "done"
printf '%s' "$times"
scripts/proven.sh note "$proving"
