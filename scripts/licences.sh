#!/usr/bin/env bash
# Fails on a shipped dependency whose licence is not permissive.
set -euo pipefail
cd "$(dirname "$0")/.."
exec node scripts/licences.mjs
