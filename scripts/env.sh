# Sourced by scripts that call Go by themselves: a machine may forbid the toolchain that go.mod asks for.
export GOTOOLCHAIN="${GOTOOLCHAIN:-auto}"
[ "$GOTOOLCHAIN" != local ] || export GOTOOLCHAIN=auto
