package app

import (
	"context"
	"errors"

	"lightbar/internal/access"
	"lightbar/internal/fleet"
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
	h.ID = e.ID
	in.OrganizationID.ApplyTo(&h.OrganizationID)
	return e.By.applyHazardFields(h, in, func(wrong map[string]string, input fleet.HazardInput) { h.ReportByHand(wrong, input, by, e.At) })
}

// amendHazard is the law of edits. It applies to a hazard that was reported by hand and has not ended. Refusals: hazard_of_sender,
// hazard_ended.
func amendHazard(e *record.Editing[*App, fleet.Hazard], in wire.HazardWrite) error {
	h := &e.Next
	if err := h.MayAmend(e.At); err != nil {
		return err
	}
	return e.By.applyHazardFields(h, in, func(wrong map[string]string, input fleet.HazardInput) { h.Amend(wrong, input, e.At) })
}

// applyHazardFields applies what was sent to a hazard by a law, and finds its street.
func (a *App) applyHazardFields(h *fleet.Hazard, in wire.HazardWrite, law func(map[string]string, fleet.HazardInput)) error {
	wrong := map[string]string{}
	wire.Texts(wrong, h, &in)
	lat, lng := h.Lat, h.Lng
	law(wrong, fleet.HazardInput{Kind: in.Type, Lat: in.Lat, Lng: in.Lng, ExpiresAt: in.ExpiresAt})
	if len(wrong) > 0 {
		return fleet.RefuseFields(wrong)
	}
	if h.Lat != lat || h.Lng != lng {
		h.Street = a.Live.Street(h.Lat, h.Lng, -1)
	}
	return nil
}

// takeBackHazard ends a hazard that is deleted: it leaves the lists at once, as if it had never been reported.
func takeBackHazard(e *record.Editing[*App, fleet.Hazard]) error {
	by, err := hazardHand(e, e.Tx, e.Actor)
	if err == nil {
		e.Next.Unsay(by, e.At)
	}
	return err
}

// hazardHand is the actor in the form that a hazard stores.
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
