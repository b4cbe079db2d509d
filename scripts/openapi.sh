#!/bin/sh
# Makes web/src/api/schema.gen.ts from the server's OpenAPI document.
#   scripts/openapi.sh          writes the file
#   scripts/openapi.sh --check  fails when the file is not what the server says
set -eu
cd "$(dirname "$0")/.."
. scripts/env.sh

target=web/src/api/schema.gen.ts
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

case "${1:-}" in
  --check)
    if ! diff -u "$target" "$work/schema.gen.ts"; then
      echo "scripts/openapi.sh: $target is out of date; run scripts/openapi.sh and commit it." >&2
      exit 1
    fi
    ;;
  '')
    mkdir -p "$(dirname "$target")"
    cp "$work/schema.gen.ts" "$target"
    ;;
  *)
    echo "usage: scripts/openapi.sh [--check]" >&2
    exit 2
    ;;
esac
