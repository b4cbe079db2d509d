#!/usr/bin/env bash
# Counts the statements of the specification's checklist that a test names, by
# section; --missing lists those that none names. A test names a statement by
# its id ("spec: 4.status.07"). The checklist lies beside the project;
# LIGHTBAR_SPEC names another place.
set -euo pipefail
cd "$(dirname "$0")/.."
list="${LIGHTBAR_SPEC:-../shared/spec-checklist.tsv}"
[ -f "$list" ] || { echo "no checklist at $list: set LIGHTBAR_SPEC to its path" >&2; exit 2; }
named="$(mktemp)"; trap 'rm -f "$named"' EXIT
git ls-files -co --exclude-standard | grep -E '(_test\.go|\.test\.tsx?|\.e2e\.ts|/testdata/.*\.txt)$' |
  while read -r file; do [ ! -f "$file" ] || echo "$file"; done | # one that was moved is listed until it is committed
  xargs grep -ohE '\b[0-9D]\.[a-z0-9]+\.[0-9]{2}\b' | sort -u > "$named"
awk -F'\t' -v named="$named" -v missing="${1:-}" '
  BEGIN { while ((getline id < named) > 0) seen[id] = 1 }
  NR > 1 && $1 ~ /^[0-9D]\./ { split($1, p, "."); s = p[1] "." p[2]; if (!(s in total)) order[++n] = s
    total[s]++; all++
    if ($1 in seen) { have[s]++; done++ } else if (missing == "--missing") print $1 "\t" $2 }
  END { if (missing != "--missing") for (i = 1; i <= n; i++) printf "%-14s %3d of %3d\n", order[i], have[order[i]], total[order[i]]
    printf "%d of %d statements are named by tests\n", done, all }' "$list"
