#!/usr/bin/env bash
# Functions that neither the binary nor a test reaches. The whole program is read for it, so what was clean is not read
# again: bin/deadcode.clean holds the sum of the sources that were.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/env.sh
mine() { { git ls-files -co --exclude-standard '*.go' | grep -v '^web/node_modules/'; echo go.mod; echo go.sum; echo scripts/deadcode.sh; } |
  while read -r file; do [ ! -f "$file" ] || echo "$file"; done | xargs sha256sum; go version; go env GOFLAGS GOOS GOARCH; }
clean=bin/deadcode.clean sum="$(mine | sha256sum)"
[ "$sum" != "$(cat "$clean" 2>/dev/null)" ] || exit 0
log="$(mktemp)"; trap 'rm -f "$log"' EXIT
# Only standard output counts: on a fresh machine Go says on the other what it downloads.
out="$(go run golang.org/x/tools/cmd/deadcode -test ./... 2>"$log")" || { cat "$log"; echo "$out"; exit 1; }
[ -z "$out" ] || { echo "$out"; exit 1; }
mkdir -p bin
echo "$sum" >"$clean"
