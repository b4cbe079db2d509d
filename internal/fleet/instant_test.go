package fleet_test

import (
	"testing"

	"pgregory.net/rapid"

	"lightbar/internal/fleet"
)

const instantLayout = "2006-01-02T15:04:05.000Z07:00"

// Instants are written as time.Time writes them, in every year.
func TestInstantText(t *testing.T) {
	for _, i := range []fleet.Instant{0, 1, -1, 999, 1_795_000_000_000, 253_402_300_799_999, 253_402_300_800_000, -62_167_219_200_000, -62_167_219_200_001, 951_782_400_000} {
		if got, want := string(i.AppendFormat(nil)), i.Time().Format(instantLayout); got != want {
			t.Errorf("%d is written %s, want %s", i, got, want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		i := fleet.Instant(rapid.Int64Range(-62_167_219_200_000, 253_402_300_799_999).Draw(t, "ms"))
		if got, want := string(i.AppendFormat(nil)), i.Time().Format(instantLayout); got != want {
			t.Fatalf("%d is written %s, want %s", i, got, want)
		}
	})
}

func BenchmarkInstantText(b *testing.B) {
	var text []byte
	for b.Loop() {
		text = fleet.Instant(1_795_000_000_123).AppendFormat(text[:0])
	}
}
