#!/bin/sh
# Makes web/src/api/schema.gen.ts (types) and kinds.gen.ts (what the stream's rows
# are checked by at run time) from the server's OpenAPI document.
#   scripts/openapi.sh          writes the files
#   scripts/openapi.sh --check  fails when a file is not what the server says
set -eu
cd "$(dirname "$0")/.."
. scripts/env.sh

target=web/src/api
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM

go run ./cmd/lightbar openapi >"$work/openapi.json"
if [ ! -x web/node_modules/.bin/openapi-typescript ]; then
  echo "scripts/openapi.sh: web/node_modules is missing; run make build first." >&2
  exit 1
fi
web/node_modules/.bin/openapi-typescript "$work/openapi.json" --output "$work/schema.gen.ts" >"$work/log" 2>&1 || {
  cat "$work/log" >&2
  exit 1
}

node scripts/kinds.mjs "$work/openapi.json" >"$work/kinds.gen.ts"

case "${1:-}" in
  --check)
    for file in schema.gen.ts kinds.gen.ts; do
      if ! diff -u "$target/$file" "$work/$file"; then
        echo "scripts/openapi.sh: $target/$file is out of date; run scripts/openapi.sh and commit it." >&2
        exit 1
      fi
    done
    ;;
  '')
    mkdir -p "$target"
    cp "$work/schema.gen.ts" "$work/kinds.gen.ts" "$target/"
    ;;
  *)
    echo "usage: scripts/openapi.sh [--check]" >&2
    exit 2
    ;;
esac
