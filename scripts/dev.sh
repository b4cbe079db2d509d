#!/usr/bin/env bash
# The demo server and Vite side by side; both end together.
set -euo pipefail
cd "$(dirname "$0")/.."
bin/lightbar demo --data data/demo --region "$(scripts/region.sh)" &
server=$!
trap 'kill $server 2>/dev/null; wait $server 2>/dev/null' EXIT INT TERM
(cd web && npx vite)
