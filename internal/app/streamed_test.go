package app_test

import (
	"testing"

	"lightbar/internal/app"
	"lightbar/internal/fleet"
	"lightbar/internal/store"
	"lightbar/internal/store/storetest"
	"lightbar/internal/testkit/apptest"
	"lightbar/internal/wire"
)

// A row that the picture does not hold is told to its audience after the
// commit, shaped as the table publishes it; what was given up is told to nobody.
func TestAQuietNounIsToldToItsAudience(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		k := apptest.New(t, s)
		a, b := k.Organization("A"), k.Organization("B")
		type row struct {
			ID string `json:"id"`
		}
		say := func(organization fleet.Organization, id string, commit bool) {
			change := k.Live.Begin()
			defer change.Abort()
			err := k.Store.Write(t.Context(), func(*store.Tx) error { return nil })
			if err != nil {
				t.Fatal(err)
			}
			app.Tell(change, fleet.MessageClosure, id, []string{organization.ID}, wire.EncodeRow(fleet.MessageClosure, row{id}))
			if commit {
				change.Apply(k.Bus.Publish)
			}
		}
		heard := itemsOnTheStream(t, k, 2, func() {
			say(a, "given-up", false)
			say(a, "first", true)
			say(b, "other", true)
			say(a, "second", true)
		})
		want := map[string][]string{
			a.ID: {`{"type":"closure","closure":{"id":"first"}}`, `{"type":"closure","closure":{"id":"second"}}`},
			b.ID: {`{"type":"closure","closure":{"id":"other"}}`},
		}
		for organization, bodies := range want {
			if len(heard[organization]) != len(bodies) {
				t.Fatalf("%s heard %d messages, want %d", organization, len(heard[organization]), len(bodies))
			}
			for i, body := range bodies {
				if got := string(heard[organization][i].Body); got != body {
					t.Errorf("message %d: %s, want %s", i, got, body)
				}
			}
		}
	})
}
