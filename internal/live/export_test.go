package live

import (
	"context"
	"fmt"
	"slices"

	"lightbar/internal/fleet"
	"lightbar/internal/store"
)

// ActiveIncidents counts what an arrival looks through.
func (p *Picture) ActiveIncidents() int { return len(p.active) }

// Around are the surroundings of an organization's assets as the picture has them now.
func (p *Picture) Around(organizationID string) fleet.Surroundings {
	a := &around{index: p.areas.Load()}
	return a.of(&fleet.Thing{OrganizationID: organizationID})
}

// CompareStays counts the stays of all assets that memory answers for, by several stretches that end now; an error when
// the database says otherwise.
func (p *Picture) CompareStays(ctx context.Context) (n int, err error) {
	c := p.Begin()
	defer c.Abort()
	known := p.stays.gone.Add(fleet.MaxReportAhead()) + 1
	err = p.store.Write(ctx, func(tx *store.Tx) error {
		for _, e := range p.entries {
			for _, from := range []fleet.Instant{known, c.now - 60_000, c.now} {
				for _, to := range []fleet.Instant{c.now, c.now - 30_000} {
					got, err := c.staysNow().of(ctx, tx, span{&e.state, max(from, known), to})
					want, err2 := store.StaysOfThing(ctx, tx, e.thing.ID, max(from, known), to)
					slices.SortFunc(got, func(a, b fleet.Presence) int { return int(a.StartAt - b.StartAt) })
					if err != nil || err2 != nil || !slices.Equal(got, want) {
						return fmt.Errorf("%+v in memory, %+v stored (%v %v)", got, want, err, err2)
					}
					n += len(got)
				}
			}
		}
		return nil
	})
	return n, err
}

// StoredStays counts the stays of all assets that recomputed runs would know of now.
func (p *Picture) StoredStays(ctx context.Context, at fleet.Instant) (n int, err error) {
	c := p.Begin()
	defer c.Abort()
	err = p.store.Write(ctx, func(tx *store.Tx) error {
		for _, e := range p.entries {
			got, err := c.staysNow().of(ctx, tx, span{&e.state, at, at})
			if n += len(got); err != nil {
				return err
			}
		}
		return nil
	})
	return n, err
}

// IncidentsWithStays counts the assets that are or were at incidents in memory.
func (p *Picture) IncidentsWithStays() int { return len(p.stays.at) }
