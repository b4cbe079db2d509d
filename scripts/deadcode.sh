#!/usr/bin/env bash
# Functions that neither the binary nor a test reaches.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/env.sh
log="$(mktemp)"; trap 'rm -f "$log"' EXIT
# Only standard output counts: on a fresh machine Go says on the other what it downloads.
out="$(go run golang.org/x/tools/cmd/deadcode -test ./... 2>"$log")" || { cat "$log"; echo "$out"; exit 1; }
[ -z "$out" ] || { echo "$out"; exit 1; }
