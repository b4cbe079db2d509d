package people_test

import (
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"lightbar/internal/access"
	"lightbar/internal/fleet"
	"lightbar/internal/people"
	"lightbar/internal/store"
	"lightbar/internal/testkit"
)

// How many people a second can sign in: a hash of 19 MiB and two passes each,
// the session and its audit row in one transaction, as many at once as there
// are processors.
func BenchmarkSignIn(b *testing.B) {
	w := testkit.New(b)
	users := make([]fleet.User, 64)
	for i := range users {
		users[i] = w.AddUser(fmt.Sprintf("user%d@demo.example", i), w.Own.ID, "viewer")
	}
	var next atomic.Int64
	b.ResetTimer()
	began := time.Now()
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			n := next.Add(1)
			u := users[n%int64(len(users))]
			if _, err := w.App.SignIn(b.Context(), people.SignIn{Email: u.Email, Password: testkit.Password,
				Caller: people.Caller{Network: "192.0.2.1"}}); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.ReportMetric(float64(b.N)/time.Since(began).Seconds(), "sign-ins/s")
}

// What one authorization check costs: the access token looked up (known, as in
// all calls but one every four seconds; and asked of the database), the
// requirement and the reach.
func BenchmarkAuthorize(b *testing.B) {
	for _, row := range []struct {
		name  string
		every time.Duration // the clock moves so far between two checks
	}{{"known", 0}, {"asked", 5 * time.Second}} {
		b.Run(row.name, func(b *testing.B) {
			w := testkit.New(b)
			// Without an end: the clock of the second row moves for days.
			g, err := w.App.SignIn(b.Context(), people.SignIn{Email: w.Users["viewer"].Email, Password: testkit.Password, Awareness: true})
			if err != nil {
				b.Fatal(err)
			}
			if err := w.App.Store.Write(b.Context(), func(tx *store.Tx) error {
				_, err := tx.ExecContext(b.Context(), `UPDATE session_token SET expires_at = $1`, int64(1)<<52)
				return err
			}); err != nil {
				b.Fatal(err)
			}
			b.ResetTimer()
			for range b.N {
				w.Clock.Advance(row.every)
				actor, err := w.App.Authenticate(b.Context(), g.Access, "192.0.2.1")
				if err == nil {
					err = actor.Must("VIEW_THINGS")
				}
				if err != nil || actor.Reach(w.Managed.ID) != access.Full {
					b.Fatal(err)
				}
			}
		})
	}
}
