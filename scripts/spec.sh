#!/usr/bin/env bash
# Lists the statements of the specification's checklist that no test names.
# The checklist lies beside the project; LIGHTBAR_SPEC names another place.
set -euo pipefail
cd "$(dirname "$0")/.."
list="${LIGHTBAR_SPEC:-../shared/spec-checklist.tsv}"
[ -f "$list" ] || { echo "no checklist at $list: set LIGHTBAR_SPEC to its path" >&2; exit 2; }
named="$(mktemp)"; trap 'rm -f "$named"' EXIT
{ git ls-files; git ls-files --others --exclude-standard; } | grep -E '(_test\.go|\.test\.tsx?|\.e2e\.ts|/testdata/.*\.txt)$' |
  xargs grep -ohE 'spec: *[A-Z0-9][A-Za-z0-9.]*[0-9]( *, *[A-Z0-9][A-Za-z0-9.]*[0-9])*' 2>/dev/null |
  sed 's/^spec: *//' | tr ',' '\n' | tr -d ' ' | sort -u > "$named"
awk -F'\t' -v named="$named" '
  BEGIN { while ((getline id < named) > 0) seen[id] = 1 }
  NR > 1 { split($1, p, "."); section = p[1] "." p[2]; total[section]++; all++
    if ($1 in seen) { have[section]++; done++ } else missing[section] = missing[section] "\n  " $1 "  " $2 }
  END { for (s in total) printf "%s\t%d\t%d%s\n", s, have[s], total[s], missing[s] > "/dev/stderr"
    printf "%d of %d statements are named by tests\n", done, all }' "$list" 2> >(if [ "${1:-}" = --missing ]; then cat; else grep -E $'^[^ ].*\t' | sort | awk -F'\t' '{printf "%-14s %3d of %3d\n",$1,$2,$3}'; fi)
