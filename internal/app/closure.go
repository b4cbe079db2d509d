package app

import (
	"context"
	"errors"
	"slices"
	"strings"

	"lightbar/catalog"
	"lightbar/internal/access"
	"lightbar/internal/feed"
	"lightbar/internal/fleet"
	"lightbar/internal/live"
	"lightbar/internal/record"
	"lightbar/internal/store"
	"lightbar/internal/wire"
)

// closures are work zones. On small screens the requirements of mobile forms apply; the server accepts either form (requirements
// 6.closure).
var closures = record.NewResource(resource[fleet.Closure, wire.Closure, wire.ClosureWrite]{
	Name: "closure", Missing: "Closure not found", Views: "VIEW_CLOSURES",
	Adds: "ADD_CLOSURE_ANYWHERE", Edits: "EDIT_CLOSURE_ANYWHERE", Deletes: "DELETE_CLOSURE",
	Message: fleet.MessageClosure, Full: fleet.MessageClosureFull, PartMessage: fleet.MessageClosurePart,
	Rows: store.Closures, Row: (*App).closureWire, Part: (*App).closurePart, Fill: fillConsumers,
	Doc: docOfClosure, Back: putBackClosure, Title: func(row wire.Closure) string { return row.Description },
	Of: func(x *fleet.Closure) record.Fields {
		return record.Fields{ID: &x.ID, Owner: &x.OrganizationID, Version: &x.Version, UpdatedAt: &x.UpdatedAt, DeletedAt: &x.DeletedAt}
	},
	Make: func(e *record.Editing[*App, fleet.Closure], in wire.ClosureWrite) error {
		e.Next.Kind, e.Next.ResponsibleUserID = fleet.ClosureManual, e.Actor.UserID
		return applyClosure(e, in)
	},
	Law:        applyClosure,
	CheckEmpty: func(wrong map[string]string) { new(fleet.Closure).Check(wrong, false) },
	Most:       catalog.Setting("closure", "perOrganization"),
	Alike: func(old, again *fleet.Closure) bool {
		a := *again
		if a.RecursSince = old.RecursSince; a.VerifiedAt != 0 && a.VerifiedAt == a.StartAt { // it begins when it is created
			a.StartAt, a.VerifiedAt = old.StartAt, old.VerifiedAt
		}
		if a.Kind == fleet.ClosureAutomated { // its asset sets the times
			a.StartAt, a.EndAt, a.LastStartAt, a.EndedAt = old.StartAt, old.EndAt, old.LastStartAt, old.EndedAt
			a.EndReason, a.EndEstimated, a.VerifiedAt, a.VerifiedBy = old.EndReason, old.EndEstimated, old.VerifiedAt, old.VerifiedBy
		}
		return store.Closures.Same(&a, old)
	},
	May: func(_ *access.Actor, x *fleet.Closure) error {
		if x.Kind == fleet.ClosureOfFeed {
			return fleet.Refuse("not_managed", "", "This closure is not managed by Dashboard. It comes from a feed.")
		}
		return nil
	},
	PutInPicture: func(c *live.Change, x *fleet.Closure) error {
		c.PutClosure(x)
		return nil
	},
	Clash: func(ctx context.Context, tx *store.Tx, x *fleet.Closure) error {
		if err := oneClosureOfThing(ctx, tx, x); err != nil {
			return err
		}
		if x.ExternalID == "" {
			return nil
		}
		if was, err := store.Closures.ByID(ctx, tx, x.ID); err == nil && was.DeletedAt == 0 && was.ExternalID == x.ExternalID {
			return nil // also if two had ids that differ only by letter case before that was refused
		}
		other, err := store.ClosureNamed(ctx, tx, x.ExternalID)
		if errors.Is(err, store.ErrNotFound) || err == nil && other.ID == x.ID {
			return nil
		}
		if err != nil && !errors.Is(err, store.ErrUnreadable) {
			return err
		}
		return fleet.RefuseFields(map[string]string{"external_id": "The id must be unique. Another closure has it"})
	},
})

// MayDrawClosure refuses actors who can neither create nor edit a closure. Requires DRAW_CLOSURE.
func (a *App) MayDrawClosure(actor *access.Actor) error { return actor.Must("DRAW_CLOSURE") }

// applyClosure is the law of closures (requirements 5.closure): the fields that were sent are written over the closure, and then
// the whole must be valid.
func applyClosure(e *record.Editing[*App, fleet.Closure], in wire.ClosureWrite) error {
	wrong, x, a := map[string]string{}, &e.Next, e.By
	if err := a.applyClosureFields(e, wrong, in); err != nil {
		return err
	}
	of, err := store.OrganizationByID(e, e.Reader(), x.OrganizationID)
	if err != nil && !errors.Is(err, store.ErrNotFound) { // one that does not exist is out of reach, and the kit refuses it
		return err
	}
	x.Check(wrong, of.WZDx)
	if len(wrong) > 0 {
		return fleet.RefuseFields(wrong)
	}
	a.nameRoad(x, in)
	return nil
}

// nameRoad takes the road's name from the region if a line was sent without a name, because every feed needs one. The line of an
// asset gives its own road.
func (a *App) nameRoad(x *fleet.Closure, in wire.ClosureWrite) {
	x.RoadName = strings.TrimSpace(x.RoadName)
	isWritten := in.UserRoute != nil || in.CalculatedRoute != nil || in.RoadName != nil
	if isWritten && x.RoadName == "" && x.Kind != fleet.ClosureAutomated && a.RoadOf != nil {
		x.RoadName = a.RoadOf(feed.Route(x))
	}
}

// applyClosureFields writes what was sent over the closure and notes what is invalid.
func (a *App) applyClosureFields(e *record.Editing[*App, fleet.Closure], wrong map[string]string, in wire.ClosureWrite) error {
	x := &e.Next
	wire.Put(wrong, x, &in)
	in.OrganizationID.ApplyTo(&x.OrganizationID)
	if in.IsInService != nil {
		x.OutOfService = !*in.IsInService
	}
	if in.IsWZDxCompliant != nil {
		x.IsPublished = *in.IsWZDxCompliant
	}
	if err := a.applyDriver(wrong, x, in); err != nil {
		return err
	}
	if in.IsDashboardManaged != nil && !*in.IsDashboardManaged {
		wrong["is_dashboard_managed"] = "A closure not managed here must come from a feed"
	}
	if x.Direction != "" && !slices.Contains(catalog.AllEnums().ClosureDirections, x.Direction) {
		wrong["direction"] = "N, E, S or W"
	}
	named(wrong, "location_method", x.LocationMethod, catalog.AllEnums().LocationMethods)
	named(wrong, "vehicle_impact", x.VehicleImpact, catalog.AllEnums().VehicleImpacts)
	if err := a.timesOfClosure(e, wrong, in); err != nil {
		return err
	}
	if in.ResponsibleUserID != nil {
		return chargeWithClosure(e, wrong, x, in.ResponsibleUserID.String())
	}
	return nil
}

// closureTimes returns the times of a write; those left out are zero.
func closureTimes(in wire.ClosureWrite) (t fleet.ClosureTimes) {
	if in.IsActive != nil {
		t.Active = *in.IsActive
	}
	if in.StartTime != nil {
		t.StartAt = *in.StartTime
	}
	if in.EndTime != nil {
		t.EndAt = *in.EndTime
	}
	return t
}

// named refuses a value that is not in a list; empty means not sent.
func named(wrong map[string]string, field, value string, list []catalog.Named) {
	if value != "" && !slices.ContainsFunc(list, func(n catalog.Named) bool { return n.Name == value }) {
		wrong[field] = "Unknown value"
	}
}

// closureWire is a closure as lists show it, as of now; for the audit (a is nil) as it is stored, active when it has times.
func (a *App) closureWire(x *fleet.Closure) (out wire.Closure) {
	wire.Same(&out, x)
	out.ClosureType, out.IsInService, out.IsWZDxCompliant = x.Kind, !x.OutOfService, x.IsPublished
	out.IsDashboardManaged = x.Kind != fleet.ClosureOfFeed
	out.StartTime, out.EndTime, out.LastStartTime = x.StartAt, x.EndAt, x.LastStartAt
	if out.ResponsibleUserID = nil; x.ResponsibleUserID != "" {
		out.ResponsibleUserID = &x.ResponsibleUserID
	}
	out.ImpactedLanes, out.GeocodedRoute = listed(x.ImpactedLanes), listed(x.GeocodedRoute)
	out.CalculatedRoute, out.UserRoute = listed(x.CalculatedRoute), listed(x.UserRoute)
	if x.TotalLanes > 0 {
		out.TotalLanes = &x.TotalLanes
	}
	out.ThingsAssociated = []wire.ClosureThing{}
	out.PublishProblems, out.Consumers, out.EndIsEstimated = []wire.PublishProblem{}, []wire.Consumer{}, x.EndEstimated
	if x.IsPublished {
		for _, problem := range feed.Problems(x) {
			out.PublishProblems = append(out.PublishProblems, wire.PublishProblem(problem))
		}
	}
	out.Organization.ID, out.Status = x.OrganizationID, "standby"
	if a == nil {
		return out
	}
	out.Organization, _ = a.Live.Organization(x.OrganizationID)
	at := a.seeDriver(&out, x)
	is := at.SpanAt(a.now())
	out.StartTime, out.EndTime, out.LastStartTime, out.EndedAt = is.From, is.To, is.Last.From, is.EndedAt
	out.EndReason, out.EndIsEstimated, out.AskedAt = is.Reason, is.Guessed, 0
	if is.IsActive {
		out.IsActive, out.Status = true, "active"
		if is.IsAsked {
			out.AskedAt = x.AskedAt
		}
	}
	return out
}

// closurePart is a closure for users who can only read its organization: without the people responsible for it.
func (a *App) closurePart(x *fleet.Closure) wire.Closure {
	out := a.closureWire(x)
	if out.ResponsibleUserID, out.AskedAt = nil, 0; out.VerifiedBy != nil && out.VerifiedBy.Kind == "user" {
		out.VerifiedBy = &fleet.Verifier{Kind: "user", Name: out.Organization.Name}
	}
	return out
}

// listed returns a list that is sent as [] when it is empty.
func listed[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

// tellClosure publishes a closure that the change has written.
func (a *App) tellClosure(c *live.Change, x *fleet.Closure) {
	if x.DeletedAt != 0 {
		closures.PublishGone(c, x)
	} else {
		closures.Publish(a, c, x)
	}
}
