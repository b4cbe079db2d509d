package app

import (
	"context"
	"errors"

	"lightbar/internal/fleet"
	"lightbar/internal/live"
	"lightbar/internal/store"
	"lightbar/internal/wire"
)

// applyDriver is the law of what drives a closure: a person, or an asset that then sets its times and its status.
func (a *App) applyDriver(wrong map[string]string, x *fleet.Closure, in wire.ClosureWrite) error {
	if in.ClosureType != nil && *in.ClosureType != x.Kind {
		switch {
		case *in.ClosureType != fleet.ClosureManual && *in.ClosureType != fleet.ClosureAutomated:
			wrong["closure_type"] = "Unknown closure type"
		case x.Version > 0:
			wrong["closure_type"] = "A closure's type can't be changed. Add a new closure"
		default:
			x.Kind = *in.ClosureType
		}
	}
	moved := in.OrganizationID.IsSent()
	if in.ThingID != nil {
		x.ThingID, moved = in.ThingID.String(), true
	}
	if x.Kind != fleet.ClosureAutomated {
		if x.ThingID != "" {
			wrong["thing_id"] = "Only an automated closure can have an asset"
		}
		return nil
	}
	for field, said := range map[string]bool{"is_active": in.IsActive != nil, "start_time": in.StartTime != nil && *in.StartTime != 0,
		"end_time": in.EndTime != nil && *in.EndTime != 0} {
		if said {
			wrong[field] = "An automated closure is controlled by its asset"
		}
	}
	if x.ThingID == "" {
		wrong["thing_id"] = "Required"
	}
	if x.ThingID == "" || !moved {
		return nil
	}
	return a.mayDrive(wrong, x)
}

// mayDrive checks whether the asset of an automated closure may drive it.
func (a *App) mayDrive(wrong map[string]string, x *fleet.Closure) error {
	t, _, _, ok := a.Live.Thing(x.ThingID)
	if !ok || !live.Manages(&t, x.OrganizationID) {
		return fleet.Refuse("thing_not_found", "thing_id", "Asset not found")
	}
	if !t.AllowedForClosures {
		wrong["thing_id"] = "Only an arrow board can drive a closure. Choose one"
	}
	return nil
}

// oneClosureOfThing refuses a second closure for one asset: both would be at the same place.
func oneClosureOfThing(ctx context.Context, tx *store.Tx, x *fleet.Closure) error {
	if x.ThingID == "" {
		return nil
	}
	other, err := store.ClosureOfThing(ctx, tx, x.ThingID)
	if errors.Is(err, store.ErrNotFound) || errors.Is(err, store.ErrUnreadable) || err == nil && other.ID == x.ID {
		return nil // one that cannot be read is nowhere: it is drawn again
	}
	if err != nil {
		return err
	}
	return fleet.RefuseFields(map[string]string{"thing_id": "This asset already has an automated closure"})
}

// seeDriver returns a closure as it is now, and adds to its row what its asset reports.
func (a *App) seeDriver(out *wire.Closure, x *fleet.Closure) fleet.Closure {
	at, thing, heard := a.Live.ClosureAt(x)
	if x.Kind != fleet.ClosureAutomated {
		return at
	}
	now := a.now()
	out.StartTime, out.EndTime, out.EndIsEstimated, out.EndReason = at.StartAt, at.EndAt, at.EndEstimated, at.EndReason
	out.Status, out.VerifiedAt = fleet.ClosureStatus(false, heard, now), at.VerifiedAt
	if at.StartAt != 0 {
		out.VerifiedAt = max(at.VerifiedAt, heard)
	}
	if thing != nil {
		out.Thing = &wire.ClosureThing{ID: thing.ID, HaasID: thing.SystemName, Nickname: thing.Nickname, HeartbeatDatetime: heard,
			RegistryNumber: thing.Registry, VINNumber: thing.VIN, LicensePlateNumber: thing.Plate}
		out.ThingsAssociated = []wire.ClosureThing{*out.Thing}
	}
	return at
}

// closureAt returns a closure as it is at this moment.
func (a *App) closureAt(x *fleet.Closure) *fleet.Closure {
	if x.Kind != fleet.ClosureAutomated {
		return x
	}
	at, _, _ := a.Live.ClosureAt(x)
	return &at
}
