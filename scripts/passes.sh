#!/usr/bin/env bash
# Which Go tests run in which pass of make test, one to a line. What is written decides, no list that somebody keeps:
#   watched ./package            with the race detector, short, storetest.Each on SQLite alone
#   whole ./package              without it, in full: nothing in the package's tests starts a goroutine or speaks HTTP
#   volume ./package TestName    again in full without it: does less in a short run, or wants the built binary
#   postgres ./package TestName  again on PostgreSQL without it: its first run was on SQLite alone
#   scripts/passes.sh           the lines; fails when a package with tests has none
#   scripts/passes.sh volume    the lines of one pass, as "./package" or "./package TestName"
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/env.sh
less='testing[.]Short[(][)]|rapid[.]Check|LIGHTBAR_BINARY'
engines='storetest[.]Each[(]'
both='storetest[.]Whole[(]' # this package's tests run on both engines in the first pass
# Who speaks HTTP starts goroutines, too. What libraries do among themselves is theirs to prove.
concurrent='(^|[[:space:]{;])go (func[(]|[A-Za-z_][A-Za-z0-9_.]*[(])|[.]Go[(]|[.](Parallel|RunParallel)[(]|^(import)?[[:space:]]*([a-z_]+ )?"net/http(/[a-z]+)?"'

# asking PATTERN PACKAGE… prints "./package TestName": a test counts when it, or anything that it names among the tests
# of its package, has the pattern.
asking() {
  local pattern="$1" package; shift
  for package in "$@"; do
    grep -qE "$pattern" "$package"/*_test.go || continue
    awk -v package="$package" -v pattern="$pattern" '
      FNR == 1 { name = "" }
      /^(func|var|const|type) / || inBlock && /^\t[A-Za-z_][A-Za-z0-9_]* / {
        name = $0
        sub(/^(func|var|const|type) */, "", name); sub(/^\([^)]*\) */, "", name); sub(/^\t/, "", name)
        sub(/[^A-Za-z0-9_].*/, "", name)
      }
      /^(var|const|type) \($/ { inBlock = 1 }
      /^\)/ { inBlock = 0 }
      name != "" {
        sub(/\/\/.*/, "")
        if ($0 ~ pattern) asks[name] = 1
        text[name] = text[name] " " $0
      }
      END {
        do {
          more = 0
          for (name in text) if (!(name in asks))
            for (other in asks) if (text[name] ~ "(^|[^A-Za-z0-9_])" other "([^A-Za-z0-9_]|$)") { more = asks[name] = 1; break }
        } while (more)
        for (name in text) if (name ~ /^(Test|Fuzz)/ && (name in asks || "TestMain" in asks) && name != "TestMain") {
          found = 1; print package, name
        }
        if (!found) { print package ": no test reaches " pattern >"/dev/stderr"; exit 1 }
      }' "$package"/*_test.go | sort
  done
}

# What each test binary is made of: "./package module-package …", with tests' own imports.
made="$(go list -test -f '{{.ImportPath}} {{join .Deps " "}}' ./... | sed -nE 's/ \[[^]]*\]//g; s/^([^ ]+)\.test /\1 /p')"
module="$(go list -m)"
starts=" $(grep -rlE "$concurrent" --include='*.go' --exclude='*_test.go' --exclude-dir=node_modules cmd internal catalog web | xargs -n1 dirname | sort -u | paste -sd' ') "
watched=() whole=()
while read -r package parts; do
  folder="${package#"$module"/}" is=whole
  ! grep -qE "$concurrent" "$folder"/*_test.go || is=watched
  for part in $package $parts; do
    [[ "$starts" != *" ${part#"$module"/} "* ]] || { is=watched; break; }
  done
  if [ $is = watched ]; then watched+=("./$folder"); else whole+=("./$folder"); fi
done <<<"$made"

volume="$(asking "$less" "${watched[@]}")"
split=()
for package in "${watched[@]}"; do grep -qE "$both" "$package"/*_test.go || split+=("$package"); done
postgres="$(asking "$engines" "${split[@]}" | grep -vxFf <(echo "$volume"))" # a volume test runs on both engines in full

lines="$(
  printf 'watched %s\n' "${watched[@]}"
  printf 'whole %s\n' "${whole[@]}"
  sed 's/^/volume /' <<<"$volume"
  sed 's/^/postgres /' <<<"$postgres"
)"
tested="$(git ls-files -co --exclude-standard '*_test.go' | grep -v '^web/node_modules/' | xargs -n1 dirname | sort -u | sed 's|^|./|')"
missing="$(comm -23 <(echo "$tested") <(grep -E '^(watched|whole) ' <<<"$lines" | cut -d' ' -f2 | sort))"
[ -z "$missing" ] || { echo "in no pass of make test:" $missing >&2; exit 1; }
if [ $# = 0 ]; then echo "$lines"; else sed -n "s/^$1 //p" <<<"$lines"; fi
