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
# A turn of some executions has no use for the coverage that guides a long one, and builds in a fifth of the time.
guided=(-fuzz=Fuzz)
case "$each" in *x) guided=() ;; esac
failed=0 targets=0
while read -r package; do
  mapfile -t names < <(grep -rhoE '^func Fuzz[A-Za-z0-9_]+' --include='*_test.go' "$package" | sed 's/func //' | grep -E -- "$only" | sort)
  [ ${#names[@]} -gt 0 ] || continue
  go test -c "${guided[@]}" -o "$work/test" "./$package"
  for name in "${names[@]}"; do
    targets=$((targets + 1))
    if (cd "$package" && "$work/test" -test.run='^$' -test.fuzz="^$name\$" -test.fuzztime="$each" -test.fuzzcachedir="$cache/$package/$name" -test.fuzzminimizetime=20x) >"$work/log" 2>&1; then
      printf '%-20s %-28s %s\n' "${package#internal/}" "$name" "$(grep -oE 'execs: [0-9]+' "$work/log" | tail -n 1)"
    else
      printf '%-20s %-28s FAILED\n' "${package#internal/}" "$name"; tail -n 40 "$work/log"; failed=$((failed + 1))
    fi
  done
done < <(grep -rlE '^func Fuzz' --include='*_test.go' cmd internal catalog | xargs -n1 dirname | sort -u)
echo "$targets fuzz targets, $failed failed"
[ $failed = 0 ]
