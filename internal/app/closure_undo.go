package app

import (
	"encoding/json"
	"errors"
	"reflect"
	"slices"

	"lightbar/internal/fleet"
	"lightbar/internal/record"
	"lightbar/internal/store"
	"lightbar/internal/wire"
)

// closureDoc is a closure as the audit stores it: its stored row, and what rows do not contain.
type closureDoc struct {
	wire.Closure
	ThingID     string        `json:"thing_id"`
	RecursSince fleet.Instant `json:"recurs_since"`
}

func docOfClosure(x *fleet.Closure) any {
	return closureDoc{(*App)(nil).closureWire(x), x.ThingID, x.RecursSince}
}

// putBackClosure restores a closure to an earlier version of it, by the law. A deleted one still is what it was then.
func putBackClosure(e *record.Editing[*App, fleet.Closure], doc json.RawMessage) error {
	x := &e.Next
	before := x.SpanAt(e.At)
	if x.DeletedAt != 0 {
		before = fleet.ClosureSpan{}
	} else {
		var was closureDoc
		if err := json.Unmarshal(doc, &was); err != nil {
			return err
		}
		if err := closureAsItWas(e, &was); err != nil {
			return err
		}
	}
	of, err := store.OrganizationByID(e, e.Tx, x.OrganizationID)
	if err != nil && !errors.Is(err, store.ErrNotFound) { // out of reach: the kit says so
		return err
	}
	wrong := map[string]string{}
	x.Check(wrong, of.WZDx)
	if x.Kind == fleet.ClosureAutomated {
		if err := e.By.mayDrive(wrong, x); err != nil {
			return err
		}
	}
	if len(wrong) > 0 {
		return fleet.RefuseFields(wrong)
	}
	is := x.SpanAt(e.At)
	isAsBefore := !is.IsActive || before.IsActive && is.Span == before.Span
	if x.Kind == fleet.ClosureAutomated || isAsBefore || e.Actor.UserID == "" {
		return nil
	}
	by, err := e.By.verifier(e, e.Tx, e.Actor)
	x.Verify(by, e.At)
	return err
}

// stored returns a list as the store reads it: nil when it is empty.
func stored[T any](list []T) []T {
	if len(list) == 0 {
		return nil
	}
	return list
}

// closureAsItWas restores the fields of a closure that people write.
func closureAsItWas(e *record.Editing[*App, fleet.Closure], was *closureDoc) error {
	x := &e.Next
	old, next := fleet.Closure{}, *x
	wire.Same(&old, &was.Closure)
	old.StartAt, old.EndAt, old.LastStartAt = was.StartTime, was.EndTime, was.LastStartTime
	old.EndEstimated, old.RecursSince = was.EndIsEstimated, was.RecursSince

	next.OrganizationID, next.OutOfService, next.ThingID = old.OrganizationID, !was.IsInService, was.ThingID
	next.Description, next.AlertMessage, next.GroupID = old.Description, old.AlertMessage, old.GroupID
	next.ImpactedLanes, next.TotalLanes = stored(old.ImpactedLanes), 0
	if was.TotalLanes != nil {
		next.TotalLanes = *was.TotalLanes
	}
	next.IsPublished, next.ExternalID = was.IsWZDxCompliant, old.ExternalID
	next.LocationMethod, next.VehicleImpact = old.LocationMethod, old.VehicleImpact
	// The line of an automated closure follows its board: it is restored only if somebody has redrawn it.
	if x.Kind != fleet.ClosureAutomated || !slices.Equal(x.UserRoute, old.UserRoute) {
		next.UserRoute, next.CalculatedRoute, next.GeocodedRoute = stored(old.UserRoute), stored(old.CalculatedRoute), stored(old.GeocodedRoute)
		next.StreetStart, next.StreetEnd, next.RoadName, next.Direction = old.StreetStart, old.StreetEnd, old.RoadName, old.Direction
	}
	if x.Kind != fleet.ClosureAutomated {
		next.PutTimesBack(&old, e.At)
	}
	if was.ResponsibleUserID != nil {
		gone := map[string]string{} // a person who no longer exists is not restored
		if err := chargeWithClosure(e, gone, &next, *was.ResponsibleUserID); err != nil {
			return err
		}
	} else {
		next.ResponsibleUserID = ""
	}
	if reflect.DeepEqual(&next, x) {
		return fleet.Refuse("undo_nothing", "", "Its earlier end has passed. To use it again, activate it with a new end.")
	}
	*x = next
	return nil
}
