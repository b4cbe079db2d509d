#!/usr/bin/env bash
# No line above 140 columns in what ships. Tests, generated files and the tags
# of a struct's fields, which cannot be broken, are let be.
#   scripts/lines.sh          names the lines that are too long
#   scripts/lines.sh --rooms  counts them in the rooms that still may have some
set -euo pipefail
cd "$(dirname "$0")/.."
most=140
# Rooms that are not through yet. Take one off as soon as it has none; never add one.
later='^(internal/(app|audit|people|cable|config|demo|fleet|live|mail|simulate|sso|store)'
later+='|web/src/(features/(audit|organizations|signin)|map|model|session))/'

long() {
  git ls-files -co --exclude-standard '*.go' '*.ts' '*.tsx' |
    grep -vE '_test\.go$|\.test\.tsx?$|\.gen\.|^(internal/testkit|web/e2e)/|testing\.tsx?$|recorded\.ts$|/[a-z]+test/' |
    LC_ALL=C xargs awk -v most="$most" \
      'length($0) > most && !/^\t+[A-Za-z]+ .*`.*`( \/\/.*)?$/ { print FILENAME ":" FNR ": " length($0) " columns" }'
}

if [ "${1:-}" = --rooms ]; then
  long | { grep -E "$later" || true; } | sed 's|/[^/]*$||' | sort | uniq -c | sort -rn
  exit
fi
found="$(long | { grep -vE "$later" || true; })"
[ -z "$found" ] || { echo "lines above $most columns:"; echo "$found"; exit 1; }
