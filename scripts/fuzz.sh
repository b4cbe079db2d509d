#!/usr/bin/env bash
# Every decoder against hostile input. Each target runs for a time or a number of executions; what it finds is
# kept as a seed below testdata/fuzz, where every later run of the tests tries it again.
#   scripts/fuzz.sh 30s            each target for 30 s      scripts/fuzz.sh 2000x FuzzCommand   one target
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/env.sh
export CGO_ENABLED=0
each="${1:-10s}" only="${2:-.}"
work="$(mktemp -d)"; trap 'rm -rf "$work"' EXIT
cache="${LIGHTBAR_FUZZ_CACHE:-$work/cache}" # inputs that reached new code; named, the next run begins with them
mkdir -p "$cache"
cache="$(cd "$cache" && pwd)"
# A turn of some executions has no use for the coverage that guides a long one, and builds in a fifth of the time. It
# tries the same inputs each time, so that the answer about a commit does not change; LIGHTBAR_FUZZ_SEED has others.
guided=(-fuzz=Fuzz) repeat=()
case "$each" in *x) guided=() repeat=(-test.parallel=1); export GODEBUG="fuzzseed=${LIGHTBAR_FUZZ_SEED:-1}" ;; esac
# The targets of a package that were asked for.
targets_of() { grep -hoE '^func Fuzz[A-Za-z0-9_]+' "$1"/*_test.go | sed 's/func //' | grep -E -- "$only" | sort; }
packages=()
for package in $(grep -rlE '^func Fuzz' --include='*_test.go' cmd internal catalog | xargs -n1 dirname | sort -u); do
  [ -z "$(targets_of "$package")" ] || packages+=("./$package")
done
# Go guides one package at a time; without, it compiles them side by side.
if [ ${#guided[@]} = 0 ] && [ ${#packages[@]} -gt 0 ]; then go test -c -ldflags='-s -w' -o "$work/" "${packages[@]}"; fi
failed=0 targets=0
for package in "${packages[@]}"; do
  test="$work/$(basename "$package").test" package="${package#./}"
  [ ${#guided[@]} = 0 ] || go test -c "${guided[@]}" -o "$test" "./$package"
  for name in $(targets_of "$package"); do
    targets=$((targets + 1))
    if (cd "$package" && "$test" -test.run='^$' -test.fuzz="^$name\$" -test.fuzztime="$each" -test.fuzzcachedir="$cache/$package/$name" -test.fuzzminimizetime=20x "${repeat[@]}") >"$work/log" 2>&1; then
      printf '%-20s %-28s %s\n' "${package#internal/}" "$name" "$(grep -oE 'execs: [0-9]+' "$work/log" | tail -n 1)"
    else
      printf '%-20s %-28s FAILED\n' "${package#internal/}" "$name"; tail -n 40 "$work/log"; failed=$((failed + 1))
    fi
  done
done
echo "$targets fuzz targets, $failed failed"
[ $failed = 0 ]
