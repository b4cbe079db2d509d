package people_test

import (
	"slices"
	"testing"
	"time"

	"lightbar/internal/people"
	"lightbar/internal/testkit"
)

// Whether the time of an answer tells who has an account: a wrong password and
// a forgotten one, of an address that is known and of one that is not, by turns.
// of-known is the median of the unknown address over that of the known one.
// spec: D.password.04
func BenchmarkUnknownAddress(b *testing.B) {
	from := people.Caller{Network: "192.0.2.1"}
	for _, row := range []struct {
		name string
		call func(w *testkit.World, email string) error
	}{
		{"sign-in", func(w *testkit.World, email string) error {
			_, err := w.App.SignIn(b.Context(), people.SignIn{Email: email, Password: "Wrong*Heron7", Caller: from})
			if err == nil {
				b.Fatal("a wrong password opens an account")
			}
			return nil
		}},
		{"forgot", func(w *testkit.World, email string) error { return w.App.ForgotPassword(b.Context(), email, from) }},
	} {
		b.Run(row.name, func(b *testing.B) {
			w := testkit.New(b)
			w.App.HideUnknownEmail = true
			took := map[string][]time.Duration{}
			addresses := []string{"viewer@demo.example", "nobody@demo.example"}
			for _, email := range addresses {
				if err := row.call(w, email); err != nil { // what is made at first use
					b.Fatal(err)
				}
			}
			b.ResetTimer()
			for range b.N {
				w.Clock.Advance(2 * time.Hour) // not to be locked out or held back
				for _, email := range addresses {
					began := time.Now()
					if err := row.call(w, email); err != nil {
						b.Fatal(err)
					}
					took[email] = append(took[email], time.Since(began))
				}
				slices.Reverse(addresses) // whoever comes second finds warm caches
			}
			median := func(email string) float64 {
				all := took[email]
				slices.Sort(all)
				return all[len(all)/2].Seconds() * 1e3
			}
			known, unknown := median("viewer@demo.example"), median("nobody@demo.example")
			b.ReportMetric(known, "known-ms")
			b.ReportMetric(unknown, "unknown-ms")
			b.ReportMetric(unknown/known, "of-known")
		})
	}
}
