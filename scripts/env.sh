# Sourced by scripts that call Go by themselves: a machine may forbid the toolchain that go.mod asks for.
export GOTOOLCHAIN="${GOTOOLCHAIN:-auto}"
[ "$GOTOOLCHAIN" != local ] || export GOTOOLCHAIN=auto
# The flags of the binary: with others every package and all that it needs would be compiled once more. Nobody debugs it,
# and what only a debugger reads is an eighth of the compiler's work.
for flag in -buildvcs=false -trimpath -gcflags=all=-dwarf=false; do
  case " ${GOFLAGS:-} " in *" $flag "*) ;; *) export GOFLAGS="${GOFLAGS:+$GOFLAGS }$flag" ;; esac
done
export CGO_ENABLED="${CGO_ENABLED:-0}"
