package app

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"lightbar/catalog"
	"lightbar/internal/access"
	"lightbar/internal/audit"
	"lightbar/internal/fleet"
	"lightbar/internal/record"
	"lightbar/internal/store"
	"lightbar/internal/wire"
)

var holdsMost = catalog.LimitInt("retention", "holds")

var legalHolds = record.Noun[*App, fleet.LegalHold, wire.LegalHold]{
	Name: "legal_hold", Word: "legal hold", Adds: "EDIT_LEGAL_HOLDS", Removes: "EDIT_LEGAL_HOLDS",
	Load: func(e *record.Editing[*App, fleet.LegalHold]) (fleet.LegalHold, error) {
		h, err := store.LegalHoldByID(e, e.Tx, e.ID)
		if errors.Is(err, store.ErrNotFound) || (err == nil && e.Actor.Reach(h.OrganizationID) != access.Full) {
			return h, fleet.Refuse("not_found", "", "Legal hold not found")
		}
		return h, err
	},
	Of: func(h *fleet.LegalHold) record.Header { return record.Header{Owner: h.OrganizationID} },
	Doc: func(h *fleet.LegalHold) any {
		return map[string]any{"thing_id": h.ThingID, "from": h.FromAt, "to": h.ToAt, "reason": h.Reason, "ends_at": h.EndsAt}
	},
}

// LegalHolds lists the legal holds of organizations, newest first, including those that were lifted or have ended. Requires
// VIEW_RETENTION and full reach: what is stored for a court is not for partners to read. Refusals: not_found.
func (a *App) LegalHolds(ctx context.Context, actor *access.Actor, organizationIDs []string) ([]wire.LegalHold, wire.Meta, error) {
	if err := actor.Must("VIEW_RETENTION"); err != nil {
		return nil, wire.Meta{}, err
	}
	organizations, err := actor.Reachable(organizationIDs)
	if err != nil {
		return nil, wire.Meta{}, err
	}
	out, now := []wire.LegalHold{}, a.now()
	for _, id := range organizations {
		if actor.Reach(id) != access.Full {
			return nil, wire.Meta{}, fleet.Refuse("not_found", "org_ids[]", "Organization not found")
		}
		rows, err := store.LegalHoldsOf(ctx, a.Store.Reader(), id)
		if err != nil {
			return nil, wire.Meta{}, err
		}
		for i := range rows {
			out = append(out, legalHoldWire(&rows[i], now))
		}
	}
	slices.SortStableFunc(out, func(x, y wire.LegalHold) int { return cmp.Compare(y.PlacedAt, x.PlacedAt) })
	return out, wire.SinglePage(len(out), now), nil
}

func legalHoldWire(h *store.LegalHoldRow, now fleet.Instant) (out wire.LegalHold) {
	wire.Same(&out, &h.LegalHold)
	out.ThingName, out.PlacedByName, out.LiftedByName, out.Stands = h.ThingName, h.PlacedByName, h.LiftedByName, h.IsInForce(now)
	out.ThingID, out.LiftedBy = nil, nil
	if h.ThingID != "" {
		out.ThingID = &h.ThingID
	}
	if h.LiftedAt != 0 {
		out.LiftedBy = &h.LiftedBy
	}
	return out
}

// PlaceLegalHold protects the data of an organization, or of one of its assets, from every purge. Requires EDIT_LEGAL_HOLDS and
// full reach. It takes nothing from anybody, so it needs no proof of identity. Refusals: organization_not_found, thing_not_found,
// validation_failed (Fields), legal_hold_limit.
func (a *App) PlaceLegalHold(ctx context.Context, actor *access.Actor, in wire.LegalHoldCreate) (wire.LegalHold, error) {
	h, err := record.Create(ctx, a, actor, &legalHolds, func(e *record.Editing[*App, fleet.LegalHold]) error {
		e.ID = a.NewID()
		e.Next = fleet.LegalHold{ID: e.ID, OrganizationID: in.OrganizationID.String(), ThingID: in.ThingID.String(), PlacedAt: a.now(),
			PlacedBy: actor.UserID}
		wrong := map[string]string{}
		wire.Put(wrong, &e.Next, &in)
		if e.Next.Check(wrong, a.now()); len(wrong) > 0 {
			return fleet.RefuseFields(wrong)
		}
		return nil
	}, func(e *record.Editing[*App, fleet.LegalHold]) error {
		if err := placeHold(ctx, e.Tx, actor, &e.Next); err != nil {
			return err
		}
		n, err := store.CountLegalHolds(ctx, e.Tx, e.Next.OrganizationID, e.At)
		if err != nil {
			return err
		}
		if int64(n) >= holdsMost {
			return fleet.Refuse("legal_hold_limit", "", "Your organization has reached the limit of legal holds")
		}
		return e.Tx.InsertLegalHold(ctx, e.Next)
	})
	if err != nil {
		return wire.LegalHold{}, err
	}
	row, err := store.LegalHoldRowByID(ctx, a.Store.Reader(), h.ID)
	return legalHoldWire(&row, a.now()), err
}

// placeHold finds the hold's organization and refuses what is out of reach, as if it did not exist. The asset may have been removed
// since: the hold is about what it did before that.
func placeHold(ctx context.Context, tx *store.Tx, actor *access.Actor, h *fleet.LegalHold) error {
	var owners []fleet.Ownership
	if h.ThingID != "" {
		var err error
		if owners, err = store.OwnersOfThing(ctx, tx, h.ThingID); err != nil && !errors.Is(err, store.ErrNotFound) {
			return err
		}
	}
	if h.OrganizationID == "" {
		h.OrganizationID = actor.OrganizationID
		if n := len(owners); n > 0 && actor.Reach(owners[n-1].OrganizationID) == access.Full {
			h.OrganizationID = owners[n-1].OrganizationID
		}
	}
	if err := actor.MustReachFully(h.OrganizationID); err != nil {
		return err
	}
	if h.ThingID != "" && !slices.ContainsFunc(owners, func(o fleet.Ownership) bool { return o.OrganizationID == h.OrganizationID }) {
		return fleet.Refuse("thing_not_found", "thing_id", "Asset not found")
	}
	return record.LockOrganizations(ctx, tx, h.OrganizationID)
}

// LiftLegalHold ends a hold: data past its retention is deleted by the next purge. It is idempotent. Requires EDIT_LEGAL_HOLDS,
// full reach and a fresh proof. Refusals: not_found, step_up_required.
func (a *App) LiftLegalHold(ctx context.Context, actor *access.Actor, id string) error {
	return record.Remove(ctx, a, actor, &legalHolds, id, nil, func(e *record.Editing[*App, fleet.LegalHold]) error {
		e.Verb = "lift"
		lifted, err := e.Tx.LiftLegalHold(ctx, id, actor.UserID, e.At)
		if err == nil && !lifted {
			e.Rows = []audit.Row{}
		}
		return err
	})
}
