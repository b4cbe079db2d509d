#!/usr/bin/env bash
# Prints the path of the demo's region: Delaware, as the Go module
# github.com/paulmach/osm carries it in its testdata (© OpenStreetMap contributors, ODbL).
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/env.sh
dir="$(go list -m -f '{{.Dir}}' github.com/paulmach/osm)"
[ -n "$dir" ] || { go mod download github.com/paulmach/osm; dir="$(go list -m -f '{{.Dir}}' github.com/paulmach/osm)"; }
echo "$dir/testdata/delaware-latest.osm.pbf"
