#!/usr/bin/env bash
# Which commit a green make test proved last: the file "tested" in git's folder of this work tree holds its hash.
#   scripts/proven.sh              says in one line when HEAD is not that commit
#   scripts/proven.sh begin        prints HEAD, or nothing when files differ from it: then no commit is proved
#   scripts/proven.sh note HASH    writes the note, if HEAD is still HASH and no file differs
set -euo pipefail
cd "$(dirname "$0")/.."
head="$(git rev-parse --verify -q HEAD 2>/dev/null)" || exit 0 # not a checkout, such as an unpacked archive
note="$(git rev-parse --git-path tested)"
clean() { [ -z "$(git status --porcelain)" ]; }
case "${1:-}" in
  begin) if clean; then echo "$head"; fi ;;
  note)
    if [ -z "${2:-}" ]; then echo "not noted as proven: files differed from HEAD at the start, or test data is missing"
    elif [ "$2" != "$head" ] || ! clean; then echo "not noted as proven: HEAD or files changed meanwhile"
    else echo "$head" >"$note"; fi ;;
  '')
    last="$(cat "$note" 2>/dev/null || true)"
    [ "$last" = "$head" ] || echo "Not proven: HEAD ${head:0:8} has no green make test (last: $([ -n "$last" ] && echo "${last:0:8}" || echo none))" ;;
  *) echo "usage: scripts/proven.sh [begin | note HASH]" >&2; exit 2 ;;
esac
