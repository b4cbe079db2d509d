#!/usr/bin/env bash
# What we take from others: is it what was locked, runs nothing at install, and has no hole that is known.
#   scripts/audit.sh             all, with govulncheck and npm audit
#   scripts/audit.sh --offline   without the databases of advisories (part of make test)
# Exit 1: something was found. Exit 3: a database could not be reached, so less was looked at than asked.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/env.sh
found=0 unreached=0
log="$(mktemp)"; trap 'rm -f "$log"' EXIT

go mod verify >"$log" 2>&1 || { grep -v '^go: downloading' "$log"; found=1; }
node scripts/audit.mjs || found=1
if [ "${1:-}" != --offline ]; then
  if ! go run golang.org/x/vuln/cmd/govulncheck@v1.9.0 ./... >"$log" 2>&1; then
    if grep -qE 'Vulnerability #|Your code is affected' "$log"; then cat "$log"; found=1
    else echo "govulncheck: not looked at: $(grep -v '^go: downloading' "$log" | tail -n 1)"; unreached=1; fi
  fi
  if ! (cd web && npm audit --audit-level=moderate) >"$log" 2>&1; then
    if grep -qE 'severity|vulnerabilit' "$log"; then cat "$log"; found=1
    else echo "npm audit: not looked at: $(grep -iE 'error|warn audit' "$log" | head -n 1)"; unreached=1; fi
  fi
fi
[ $found = 0 ] || exit 1
[ $unreached = 0 ] || { echo "make sbom writes bin/sbom.json, which a scanner elsewhere can read"; exit 3; }
