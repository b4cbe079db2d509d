#!/usr/bin/env bash
# Measures what docs/benchmarks.md states and prints one table.
#   scripts/bench.sh                    everything (some twenty minutes)
#   scripts/bench.sh server ingest      only these steps; the table shows what the folder holds
# Results lie in bin/bench as each step printed them (LIGHTBAR_BENCH_OUT names another folder).
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/env.sh
out="${LIGHTBAR_BENCH_OUT:-bin/bench}"
mkdir -p "$out"
out="$(cd "$out" && pwd)"
steps=("$@")
[ ${#steps[@]} -gt 0 ] || steps=(size server large ingest postgres incidents areas lists stream alerts mqtt connected told people geo past beside drawing page pan trips)
began=$SECONDS
failed=()

# measure NAME COMMAND… keeps what a step prints; a step that fails leaves no figures and is named at the end.
measure() {
  local name="$1"; shift
  if timeout "${LIMIT:-480}" "$@" >"$out/$name.new" 2>"$out/$name.log"; then
    mv "$out/$name.new" "$out/$name.txt"
  else
    rm -f "$out/$name.new" "$out/$name.txt"
    failed+=("$name (see $out/$name.log)")
  fi
}

ingest() { scripts/region.sh >/dev/null; go test ./internal/testkit/bench -run '^$' -bench "$1" -benchtime 1x -timeout 8m; }
drawing() {
  local tiles="$out/data/map/region.pmtiles"
  [ -f "$tiles" ] || "${LIGHTBAR_BINARY:-bin/lightbar}" map import "$(scripts/region.sh)" --data "$out/data" >/dev/null
  (cd web && LIGHTBAR_TILES="$tiles" PORT="${LIGHTBAR_BENCH_PORT:-8202}" node e2e/bench/drawing.mjs)
}
page() { (cd web && PORT="${LIGHTBAR_BENCH_PAGE_PORT:-8203}" node e2e/bench/large.mjs 100000 "$out/page"); }
trips() { (cd web && PORT="${LIGHTBAR_BENCH_TRIPS_PORT:-8205}" node e2e/bench/trips.mjs 5 "$out/trips"); }
pan() { (cd web && PORT="${LIGHTBAR_BENCH_PAN_PORT:-8204}" node e2e/bench/pan.mjs "$1" "$out/pan"); }
beside() { go test ./internal/testkit/bench -run '^$' -bench 'IngestBeside' -benchtime 1x -timeout 24m -args -export.days "$1"; }
export -f ingest beside drawing page pan trips
export out

for step in "${steps[@]}"; do
  printf 'measuring: %s (%d s)\n' "$step" $((SECONDS - began)) >&2
  case "$step" in
    size) stat -c %s "${LIGHTBAR_BINARY:-bin/lightbar}" >"$out/size.txt" ;;
    server) measure server node scripts/bench-server.mjs ;;
    large) measure large node scripts/bench-large.mjs ;;
    ingest) measure ingest bash -c "ingest '^BenchmarkIngest$/sqlite'" ;;
    postgres) LIGHTBAR_TEST_PG_FSYNC=on measure postgres bash -c "ingest '^BenchmarkIngest$/postgres'" ;;
    incidents) measure incidents bash -c "ingest 'Incidents/sqlite'" ;;
    lists) measure lists go test -run '^$' -bench Lists -benchtime 3x -timeout 4m ./internal/testkit/bench ;;
    areas) measure areas bash -c "go test ./internal/live -run '^$' -bench MatchAreas -timeout 4m && ingest 'CreateAreas/sqlite'" ;;
    stream) measure stream go test -run '^$' -bench . -benchtime 1x -timeout 4m ./internal/cable ;;
    alerts) measure alerts go test -run '^$' -bench AlertFollowers -benchtime 20x -timeout 4m ./internal/testkit/bench
      measure alerts5000 go test -run '^$' -bench AlertFollowers -benchtime 5x -timeout 4m ./internal/testkit/bench -followers 5000 ;;
    mqtt) measure mqtt go test -run '^$' -bench '^BenchmarkMQTT$' -benchtime 4s -timeout 6m ./internal/testkit/bench ;;
    connected) measure connected go test -run '^$' -bench MQTTFleet -benchtime 1x -timeout 6m ./internal/testkit/bench ;;
    told) measure told go test -run '^$' -bench 'LightsOn|Press' -benchtime 1x -timeout 7m ./internal/testkit/bench ;;
    people) measure people go test -run '^$' -bench 'SignIn|Authorize|UnknownAddress' -benchtime 3s -timeout 4m ./internal/people ;;
    geo) LIGHTBAR_TESTDATA="${LIGHTBAR_TESTDATA:-$PWD/../shared/data}" measure geo go test -run '^$' -bench 'Nearest|Route/20km|Import/delaware' -benchtime 1s -timeout 4m ./internal/geo/route ./internal/geo/osm ;;
    drawing) measure drawing bash -c drawing ;;
    page) LIGHTBAR_BINARY="$(realpath "${LIGHTBAR_BINARY:-bin/lightbar}")" measure page bash -c page ;;
    past) measure past go test -run '^$' -bench 'Block|Seal|Export$' -benchtime 3x -timeout 7m ./internal/store/points ./internal/app ;;
    beside) LIMIT=1500 measure beside bash -c "beside '${EXPORT_DAYS:-8}'" ;;
    trips) LIGHTBAR_BINARY="$(realpath "${LIGHTBAR_BINARY:-bin/lightbar}")" measure trips bash -c trips ;;
    pan)
      for noun in closure area; do
        LIMIT=900 LIGHTBAR_BINARY="$(realpath "${LIGHTBAR_BINARY:-bin/lightbar}")" measure "pan-$noun" bash -c "pan $noun"
      done
      ;;
    *) echo "no such step: $step" >&2; exit 2 ;;
  esac
done
node scripts/bench-table.mjs "$out"
printf '\nmeasured in %d s\n' $((SECONDS - began))
if [ ${#failed[@]} -gt 0 ]; then
  printf 'NOT MEASURED: %s\n' "${failed[@]}"
  exit 1
fi
