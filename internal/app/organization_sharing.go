package app

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"lightbar/internal/fleet"
	"lightbar/internal/live"
	"lightbar/internal/store"
	"lightbar/internal/wire"
)

// relationNone is a partner's kind when only single assets are shared with it.
const relationNone = "none"

func byPartnerName(x, y wire.Partner) int {
	return cmp.Or(cmp.Compare(strings.ToLower(x.OrganizationName), strings.ToLower(y.OrganizationName)), cmp.Compare(x.OrganizationID, y.OrganizationID))
}

// sharedNow lists an organization's assets that are shared with another one by
// relations of their own. The command line has no picture and tells no number.
func (a *App) sharedNow(organizationID, otherID string) []*fleet.Thing {
	if a.Live == nil {
		return nil
	}
	return a.Live.Shared(organizationID, otherID)
}

// sharing ends relations of assets within a change of organizations: with the
// picture held for writing, so that it and the database say the same.
type sharing struct {
	app    *App
	change *live.Change // nil on the command line, where nobody watches
	ended  []endedShare
}

type endedShare struct{ old, next *fleet.Thing }

func (a *App) beginSharing() *sharing {
	s := &sharing{app: a}
	if a.Live != nil {
		s.change = a.Live.Begin()
	}
	return s
}

func (s *sharing) abort() {
	if s.change != nil {
		s.change.Abort()
	}
}

// end ends what an organization's assets gave to another one; no organization
// means all. The other one learns of each asset that it has gone.
func (s *sharing) end(ctx context.Context, tx *store.Tx, actor *Actor, organizationID, otherID string) error {
	shared, err := s.shared(ctx, tx, organizationID, otherID)
	if err != nil {
		return err
	}
	s.ended = nil // a transaction may be tried again
	now := s.app.now()
	for _, old := range shared {
		next := *old
		next.Relations = slices.DeleteFunc(slices.Clone(old.Relations), func(r fleet.Relation) bool { return r.OrganizationID == otherID })
		next.Version, next.UpdatedAt = old.Version+1, now
		if err := tx.UpdateThing(ctx, &next); err != nil {
			return err
		}
		if err := tx.PutGone(ctx, otherID, old.ID, now); err != nil {
			return err
		}
		err := s.app.writeAudit(ctx, tx, actor.AsTold(old.OrganizationID), audited{Verb: "associate", Noun: "thing", NounID: old.ID,
			OrganizationID: old.OrganizationID, Before: thingDoc(old), After: thingDoc(&next)})
		if err != nil {
			return err
		}
		s.ended = append(s.ended, endedShare{old, &next})
	}
	return nil
}

func (s *sharing) shared(ctx context.Context, tx *store.Tx, organizationID, otherID string) ([]*fleet.Thing, error) {
	if s.change != nil {
		return s.app.Live.Shared(organizationID, otherID), nil
	}
	all, err := store.ListAllThings(ctx, tx)
	return slices.DeleteFunc(all, func(t *fleet.Thing) bool { return !live.IsShared(t, organizationID, otherID) }), err
}

// apply puts the ended relations into the picture and tells everybody who saw
// the assets; after the commit.
func (s *sharing) apply() {
	if s.change == nil {
		return
	}
	for _, e := range s.ended {
		for _, r := range e.old.Relations {
			if !slices.Contains(e.next.Relations, r) {
				s.change.Lost(r.OrganizationID, e.old.ID)
			}
		}
		sayThing(s.change, e.old, e.next, s.app.Live.Describe(e.next))
		s.change.Put(e.next)
	}
	s.change.Apply(s.app.Bus.Publish)
}
