#!/usr/bin/env bash
# No line above 140 columns in what ships. Tests, generated files and the tags
# of a struct's fields, which cannot be broken, are let be.
set -euo pipefail
cd "$(dirname "$0")/.."
most=140
long() {
  git ls-files -co --exclude-standard '*.go' '*.ts' '*.tsx' |
    grep -vE '_test\.go$|\.test\.tsx?$|\.gen\.|^(internal/testkit|web/e2e)/|testing\.tsx?$|recorded\.ts$|/[a-z]+test/' |
    LC_ALL=C xargs awk -v most="$most" \
      'length($0) > most && !/^\t+[A-Za-z]+ .*`.*`( \/\/.*)?$/ { print FILENAME ":" FNR ": " length($0) " columns" }'
}

found="$(long)"
[ -z "$found" ] || { echo "lines above $most columns:"; echo "$found"; exit 1; }
