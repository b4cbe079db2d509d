#!/bin/sh
# Makes web/src/api/schema.gen.ts (types) and web/src/live/kinds.gen.ts (what the
# stream's rows are checked by at run time) from the server's OpenAPI document.
#   scripts/openapi.sh          writes the files
#   scripts/openapi.sh --check  fails when a file is not what the server says
set -eu
cd "$(dirname "$0")/.."
. scripts/env.sh

schema=web/src/api/schema.gen.ts
kinds=web/src/live/kinds.gen.ts
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM

go run ./cmd/lightbar openapi >"$work/openapi.json"
if [ ! -x web/node_modules/.bin/openapi-typescript ]; then
  echo "scripts/openapi.sh: web/node_modules is missing; run make build first." >&2
  exit 1
fi
# Closed lists and required fields that no schema refuses are no types of the web app (internal/api/documentlists.go says why).
node -e '
const open = (_, v) => {
  const held = v?.["x-held-by-law"];
  return held ? { ...v, enum: undefined, required: v.required?.filter(name => !held.includes(name)) } : v;
};
process.stdout.write(JSON.stringify(JSON.parse(require("fs").readFileSync(process.argv[1], "utf8"), open)));
' "$work/openapi.json" >"$work/open.json"
web/node_modules/.bin/openapi-typescript "$work/open.json" --output "$work/schema.gen.ts" >"$work/log" 2>&1 || {
  cat "$work/log" >&2
  exit 1
}

node scripts/kinds.mjs "$work/openapi.json" >"$work/kinds.gen.ts"

case "${1:-}" in
  --check)
    for file in "$schema" "$kinds"; do
      if ! diff -u "$file" "$work/$(basename "$file")"; then
        echo "scripts/openapi.sh: $file is out of date; run scripts/openapi.sh and commit it." >&2
        exit 1
      fi
    done
    ;;
  '')
    cp "$work/schema.gen.ts" "$schema"
    cp "$work/kinds.gen.ts" "$kinds"
    ;;
  *)
    echo "usage: scripts/openapi.sh [--check]" >&2
    exit 2
    ;;
esac
