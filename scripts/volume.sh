#!/usr/bin/env bash
# The tests that do less in a short run or want the built binary, one to a line: "./package TestName".
# A test counts when it, or anything that it names among the tests of its package, asks testing.Short() (as rapid.Check
# does: a short run draws a fifth of the examples) or for LIGHTBAR_BINARY.
set -euo pipefail
cd "$(dirname "$0")/.."
asks='testing[.]Short[(][)]|rapid[.]Check|LIGHTBAR_BINARY'
packages="$(grep -rlE "$asks" --include='*_test.go' cmd internal catalog | xargs -n1 dirname | sort -u)"
for package in $packages; do
  awk -v package="$package" -v pattern="$asks" '
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
      for (name in text) if (name ~ /^(Test|Fuzz)/ && (name in asks || "TestMain" in asks)) { found = 1; print "./" package, name }
      if (!found) { print package ": no test reaches what does less in a short run" >"/dev/stderr"; exit 1 }
    }' "$package"/*_test.go | sort
done
