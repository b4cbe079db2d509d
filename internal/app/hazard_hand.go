package app

import (
	"context"
	"errors"

	"lightbar/internal/access"
	"lightbar/internal/audit"
	"lightbar/internal/fleet"
	"lightbar/internal/live"
	"lightbar/internal/record"
	"lightbar/internal/store"
	"lightbar/internal/wire"
)

// reportHazard is the law of a hazard that is reported by hand.
func reportHazard(e *record.Editing[*App, fleet.Hazard], in wire.HazardWrite) error {
	by, err := hazardHand(e, e.Tx, e.Actor)
	if err != nil {
		return err
	}
	h := &e.Next
	if h.ID = e.ID; in.OrganizationID.Said() {
		h.OrganizationID = in.OrganizationID.String()
	}
	return e.By.saidOfHazard(h, in, func(wrong map[string]string, said fleet.HazardSaid) { h.ReportByHand(wrong, said, by, e.At) })
}

// amendHazard is the law of edits, of a hazard that was reported by hand and has not ended. Refusals: hazard_of_sender, hazard_ended.
func amendHazard(e *record.Editing[*App, fleet.Hazard], in wire.HazardWrite) error {
	h := &e.Next
	if err := h.MayAmend(e.At); err != nil {
		return err
	}
	return e.By.saidOfHazard(h, in, func(wrong map[string]string, said fleet.HazardSaid) { h.Amend(wrong, said, e.At) })
}

// saidOfHazard puts what is said over a hazard by a law, and finds its street.
func (a *App) saidOfHazard(h *fleet.Hazard, in wire.HazardWrite, law func(map[string]string, fleet.HazardSaid)) error {
	wrong := map[string]string{}
	wire.Texts(wrong, h, &in)
	lat, lng := h.Lat, h.Lng
	law(wrong, fleet.HazardSaid{Kind: in.Type, Lat: in.Lat, Lng: in.Lng, ExpiresAt: in.ExpiresAt})
	if len(wrong) > 0 {
		return fleet.RefuseFields(wrong)
	}
	if h.Lat != lat || h.Lng != lng {
		h.Street = a.Live.Street(h.Lat, h.Lng, -1)
	}
	return nil
}

// DeleteHazard takes back a hazard that was reported by hand: it leaves the lists at once, as if it had never been reported.
// Requires ADD_HAZARD and full reach. Refusals: not_found, hazard_of_sender.
func (a *App) DeleteHazard(ctx context.Context, actor *access.Actor, id string) error {
	if err := actor.Must("ADD_HAZARD"); err != nil {
		return err
	}
	return a.Change(ctx, func(c *live.Change, tx *store.Tx) error {
		old, err := hazards.Load(ctx, tx, actor, id)
		switch {
		case err != nil:
			return err
		case old.DeletedAt != 0:
			return fleet.Refuse("not_found", "", hazards.Missing)
		}
		if err := old.MustBeByHand(); err != nil {
			return err
		}
		by, err := hazardHand(ctx, tx, actor)
		if err != nil {
			return err
		}
		next := old
		next.Unsay(by, c.Now())
		next.Version++
		if err := a.saveHazard(ctx, tx, c, &old, &next); err != nil {
			return err
		}
		return a.Audit.Write(ctx, tx, actor, audit.Row{Verb: "delete", Noun: hazards.Name, NounID: id, OrganizationID: old.OrganizationID,
			Before: docOfHazard(&old)})
	})
}

// hazardHand is the actor as a hazard keeps them.
func hazardHand(ctx context.Context, r store.Reader, actor *access.Actor) (fleet.HazardHand, error) {
	name, err := store.ActorName(ctx, r, actor.UserID, "")
	return fleet.HazardHand{Kind: "user", ID: actor.UserID, Name: name, OrganizationID: actor.OrganizationID}, err
}

// hazardRoom refuses one more hazard than an organization may have.
func hazardRoom(ctx context.Context, tx *store.Tx, h *fleet.Hazard) error {
	if h.Version != 1 {
		return nil // an edit makes none
	}
	if _, err := store.Hazards.ByID(ctx, tx, h.ID); !errors.Is(err, store.ErrNotFound) {
		return err
	}
	quota, err := store.HazardQuota(ctx, tx, h.OrganizationID)
	if err != nil {
		return err
	}
	if quota.Count(h, 1); quota.Exceeded() != nil {
		return quota.Exceeded()
	}
	return nil
}
