#!/usr/bin/env bash
# Both commands of the README as a new machine runs them: a clone of what is committed, empty caches of
# Go and npm, nothing built. A warm cache hides what is missing. A green make test notes the commit here (scripts/proven.sh).
#   scripts/fresh.sh            make run until the demo is ready, then make test
#   scripts/fresh.sh run|test   only that
set -euo pipefail
cd "$(dirname "$0")/.."
what="${1:-all}"
[ -z "$(git status --porcelain)" ] || echo "fresh: what is not committed is left out"
work="$(mktemp -d)"
demo=""
finish() {
  [ -z "$demo" ] || kill -- "-$demo" 2>/dev/null || true
  chmod -R u+w "$work" && rm -rf "$work" # Go's module cache is read-only
}
trap finish EXIT INT TERM
source="$PWD" head="$(git rev-parse HEAD)" note="$(realpath "$(git rev-parse --git-path tested)")"
export LIGHTBAR_TESTDATA="${LIGHTBAR_TESTDATA:-$PWD/../shared/data}" LIGHTBAR_SPEC="${LIGHTBAR_SPEC:-$PWD/../shared/spec-checklist.tsv}"

# machine NAME enters a clone with caches of its own, all empty.
machine() {
  export GOMODCACHE="$work/$1/mod" GOCACHE="$work/$1/build" npm_config_cache="$work/$1/npm" TMPDIR="$work/$1/tmp"
  mkdir -p "$TMPDIR"
  git clone -q "$source" "$work/$1/clone"
  cd "$work/$1/clone"
  git checkout -q --detach "$head" # what is committed meanwhile is not proved
}

run() {
  machine run
  local port="${LIGHTBAR_FRESH_PORT:-8099}" began=$SECONDS
  echo "== make run, until the demo is ready on port $port"
  set -m
  make run DEMO_FLAGS="--listen localhost:$port" >"$work/run.log" 2>&1 &
  demo=$!
  set +m
  until curl -fsS -o /dev/null "http://localhost:$port/readyz" 2>/dev/null; do
    kill -0 "$demo" 2>/dev/null || { cat "$work/run.log"; echo "fresh: make run ended"; exit 1; }
    [ $((SECONDS - began)) -lt 1200 ] || { cat "$work/run.log"; echo "fresh: make run is not ready after 20 minutes"; exit 1; }
    sleep 1
  done
  curl -fsS "http://localhost:$port/" | grep -q '<div id="root"' || { echo "fresh: the page is not served"; exit 1; }
  echo "ready after $((SECONDS - began)) s"
  kill -- "-$demo"; wait "$demo" 2>/dev/null || true
  demo=""
}

# proven notes the commit where this was started, if the clone's make test did: not when test data was missing.
proven() { [ "$(cat "$(git rev-parse --git-path tested)" 2>/dev/null)" != "$head" ] || echo "$head" >"$note"; }

[ "$what" = test ] || run
[ "$what" = run ] || { machine test; echo "== make test"; time make test; proven; }
