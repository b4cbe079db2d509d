#!/usr/bin/env bash
# Functions that neither the binary nor a test reaches.
set -euo pipefail
cd "$(dirname "$0")/.."
out="$(go run golang.org/x/tools/cmd/deadcode -test ./... 2>&1)" || { echo "$out"; exit 1; }
[ -z "$out" ] || { echo "$out"; exit 1; }
