#!/usr/bin/env bash
# Fails on a shipped dependency whose license is not permissive.
set -euo pipefail
cd "$(dirname "$0")/.."
exec node scripts/licenses.mjs
