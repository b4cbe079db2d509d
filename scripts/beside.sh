# Sourced by scripts with stages that leave a core idle. "beside NAME COMMAND…" runs a stage next to those that follow,
# "joined NAME" waits for it, shows what it said and fails as it did. Who ends early takes the others along.
besides="$(mktemp -d)"
declare -A beside_group=()
beside() {
  local name="$1"; shift
  set -m # a process group of its own, to end all that it started
  ( SECONDS=0; trap 'echo "$SECONDS" >"$besides/$name.seconds"' EXIT; "$@" ) >"$besides/$name" 2>&1 </dev/null &
  beside_group[$name]=$!
  set +m
}
joined() {
  local name="$1" code=0
  wait "${beside_group[$name]}" || code=$?
  unset "beside_group[$name]"
  printf '\n=== %s, beside others: %s s\n' "$name" "$(cat "$besides/$name.seconds" 2>/dev/null || echo '?')"
  cat "$besides/$name"
  return "$code"
}
end_besides() {
  local name
  for name in "${!beside_group[@]}"; do
    echo "ended before its end: $name" >&2
    kill -- "-${beside_group[$name]}" 2>/dev/null || true
  done
  rm -rf "$besides"
}
trap end_besides EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
