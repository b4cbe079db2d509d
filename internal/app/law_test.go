package app

import (
	"testing"
	"time"

	"lightbar/internal/access"
	"lightbar/internal/fleet"
	"lightbar/internal/live"
	"lightbar/internal/people"
	"lightbar/internal/record"
	"lightbar/internal/store"
	"lightbar/internal/store/storetest"
)

// A law sees the transaction and the instant of its change, of a new record, too: what it reads is what is stored beside
// it, and what it judges by the clock is what the row says.
func TestALawSeesItsTransaction(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		ctx, system := t.Context(), access.System()
		a := New(people.Options{Base: record.Base{Store: s, Live: live.New(s, live.Options{NewID: people.NewID}), Now: time.Now,
			NewID: people.NewID, ServerKey: make([]byte, 32)}})
		o, err := a.CreateOrganization(ctx, system, fleet.Organization{Name: "A", Timezone: "UTC", CountryCode: "US", TypeName: "fire",
			EventWording: "default"})
		if err != nil {
			t.Fatal(err)
		}
		var at fleet.Instant
		name := func(text string) func(e *record.Editing[*App, fleet.Zone]) error {
			return func(e *record.Editing[*App, fleet.Zone]) error {
				if e.Tx == nil || e.Reader() != store.Reader(e.Tx) || e.ID == "" {
					t.Errorf("the law of %s reads outside its change: %+v", text, e)
				}
				at, e.Next.Description, e.Next.OrganizationID = e.At, text, o.ID
				return nil
			}
		}
		row, _, err := zones.Create(ctx, a, system, "", name("a new zone"))
		if err != nil || at == 0 || row.UpdatedAt < at {
			t.Errorf("made at %v: %+v %v", at, row, err)
		}
		first := at
		if _, err := zones.Edit(ctx, a, system, row.ID, 0, name("an edit")); err != nil || at < first {
			t.Errorf("edited at %v after %v: %v", at, first, err)
		}
		if trial := record.Trial[*App, fleet.Zone](ctx, a, system); trial.Tx != nil || trial.At == 0 {
			t.Errorf("a trial: %+v", trial)
		}
	})
}
