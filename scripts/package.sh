#!/usr/bin/env bash
# Makes the Debian package of a built binary.
#   scripts/package.sh [BINARY [FOLDER]]   default: bin/lightbar into bin; prints the package's path
# PACKAGE_LEVEL is gzip's level (default 6).
set -euo pipefail
cd "$(dirname "$0")/.."
binary="${1:-bin/lightbar}" to="${2:-bin}"
die() { printf 'package: %s\n' "$*" >&2; exit 2; }
command -v dpkg-deb >/dev/null || die "dpkg-deb is missing. A Debian package is made on Debian or Ubuntu, or install the package dpkg."
[ -x "$binary" ] || die "there is no binary at $binary: make build first"

# The binary says what it is, so the package can't say otherwise. A release's tag counts as its number; another commit comes
# by its time, below every release that follows.
told="$("$binary" version --json)"
field() { sed -nE "s/.*\"$1\":\"([^\"]*)\".*/\1/p" <<<"$told"; }
said="$(field version)"
[ -n "$said" ] || die "$binary does not say its version: $told"
export SOURCE_DATE_EPOCH="${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || stat -c %Y "$binary")}"
case "$said" in
  v[0-9]* | [0-9]*.[0-9]*) version="${said#v}" ;;
  *) version="0.0~$(date -u -d "@$SOURCE_DATE_EPOCH" +%Y%m%d.%H%M%S).$said" ;;
esac
version="$(tr -- '-' '+' <<<"$version" | tr -cd 'A-Za-z0-9.+~')"
case "$(field platform)" in
  linux/amd64) architecture=amd64 ;;
  linux/arm64) architecture=arm64 ;;
  *) die "$binary is for $(field platform); packages are made for linux/amd64 and linux/arm64" ;;
esac

tree="$(mktemp -d)"
trap 'rm -rf "$tree"' EXIT
umask 022
chmod 755 "$tree"
install -D -m 755 "$binary" "$tree/usr/bin/lightbar"
install -D -m 644 packaging/lightbar.service "$tree/usr/lib/systemd/system/lightbar.service"
install -D -m 640 packaging/lightbar.json "$tree/etc/lightbar/lightbar.json"
install -D -m 644 LICENSE "$tree/usr/share/doc/lightbar/copyright"
install -m 644 NOTICE "$tree/usr/share/doc/lightbar/NOTICE"
install -d "$tree/DEBIAN"
install -m 755 packaging/debian/{postinst,prerm,postrm} "$tree/DEBIAN/"
install -m 644 packaging/debian/conffiles "$tree/DEBIAN/"
sed -e "s/@VERSION@/$version/" -e "s/@ARCHITECTURE@/$architecture/" -e "s/@SIZE@/$(du -sk "$tree" | cut -f1)/" \
  packaging/debian/control >"$tree/DEBIAN/control"
mkdir -p "$to"
file="$to/lightbar_${version}_$architecture.deb"
dpkg-deb --root-owner-group -Zgzip "-z${PACKAGE_LEVEL:-6}" --build "$tree" "$file" >/dev/null
echo "$file"
