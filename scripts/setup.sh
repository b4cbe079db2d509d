#!/usr/bin/env bash
# Installs what is missing for "run" or "test": Debian packages as root or
# through sudo, nothing else. Without either it says what to install.
set -euo pipefail
want="${1:-run}"

die() { printf 'lightbar: %s\n' "$*" >&2; exit 2; }

command -v go >/dev/null || die "Go is missing. Install Go 1.21 or later (https://go.dev/dl); the exact version is fetched from the module proxy."
command -v npm >/dev/null || die "Node.js with npm is missing. Install Node.js 20.19 or later."
node -e 'const [a,b]=process.versions.node.split(".").map(Number); process.exit(a>20||(a===20&&b>=19)?0:1)' ||
  die "Node.js $(node --version) is too old. Install 20.19 or later."

missing=()
if [ "$want" = test ]; then
  command -v chromium >/dev/null || [ -x /usr/bin/chromium ] || missing+=(chromium)
  ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || command -v initdb >/dev/null || missing+=(postgresql)
  command -v gcc >/dev/null || missing+=(gcc libc6-dev)
  command -v make >/dev/null || missing+=(make)
fi
[ ${#missing[@]} -eq 0 ] && exit 0

printf 'installing Debian packages: %s\n' "${missing[*]}"
sudo=()
if [ "$(id -u)" -ne 0 ]; then
  command -v sudo >/dev/null || die "not root and no sudo. Install these packages, then come again: ${missing[*]}"
  sudo=(sudo)
fi
command -v apt-get >/dev/null || die "no apt-get on this machine. Install these, then come again: ${missing[*]}"
export DEBIAN_FRONTEND=noninteractive
"${sudo[@]}" apt-get update -qq || true
"${sudo[@]}" apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
