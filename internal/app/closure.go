package app

import (
	"context"
	"errors"
	"reflect"
	"slices"

	"lightbar/catalog"
	"lightbar/internal/access"
	"lightbar/internal/feed"
	"lightbar/internal/fleet"
	"lightbar/internal/store"
	"lightbar/internal/wire"
)

// closures are work zones. On a small screen the requirements of mobile forms
// hold; the server takes either (decisions, "Permissions").
var closures = newQuiet(quiet[fleet.Closure, wire.Closure]{
	Name: "closure", Missing: "Closure not found", Views: "VIEW_CLOSURES",
	Adds: "ADD_CLOSURE_ANYWHERE", Edits: "EDIT_CLOSURE_ANYWHERE", Deletes: "DELETE_CLOSURE",
	Message: fleet.MessageClosure, Rows: store.Closures, Row: (*App).closureWire, Gone: wire.GoneClosure,
	Of: func(x *fleet.Closure) record {
		return record{&x.ID, &x.OrganizationID, &x.Version, &x.UpdatedAt, &x.DeletedAt}
	},
	Same: func(x, y *fleet.Closure) bool {
		a := *x
		a.ID, a.Version, a.UpdatedAt, a.DeletedAt = y.ID, y.Version, y.UpdatedAt, y.DeletedAt
		return reflect.DeepEqual(&a, y)
	},
	Clash: func(ctx context.Context, tx *store.Tx, x *fleet.Closure) error {
		if x.ExternalID == "" {
			return nil
		}
		other, err := store.ClosureNamed(ctx, tx, x.ExternalID)
		if errors.Is(err, store.ErrNotFound) || err == nil && other.ID == x.ID {
			return nil
		}
		if err != nil {
			return err
		}
		return fleet.RefuseFields(map[string]string{"external_id": "The id must be unique: another closure has it"})
	},
})

// ListClosures answers the closures of organizations in reach. Requires VIEW_CLOSURES.
func (a *App) ListClosures(ctx context.Context, actor *access.Actor, in Rows) ([]wire.Closure, wire.Meta, error) {
	return closures.list(ctx, a, actor, in)
}

// Closure answers one closure in reach. Requires VIEW_CLOSURES. Refusals: not_found.
func (a *App) Closure(ctx context.Context, actor *access.Actor, id string) (wire.Closure, error) {
	return closures.read(ctx, a, actor, id)
}

// CreateClosure makes a closure; again tells that it was there as it was sent.
// Requires ADD_CLOSURE or ADD_CLOSURE_MOBILE and full reach of its organization.
// Refusals: organization_not_found, validation_failed, conflict.
func (a *App) CreateClosure(ctx context.Context, actor *access.Actor, in wire.ClosureWrite) (row wire.Closure, again bool, err error) {
	id := ""
	if in.UUID != nil {
		id = in.UUID.String()
	}
	return closures.create(ctx, a, actor, id, func(x *fleet.Closure) error {
		x.OrganizationID, x.Kind = actor.OrganizationID, closureManual
		return a.applyClosure(ctx, x, in)
	})
}

// UpdateClosure edits a closure that was seen in a version, 0 = any; a body of
// is_active and end_time alone activates or deactivates it. Requires EDIT_CLOSURE
// or EDIT_CLOSURE_MOBILE and full reach. Refusals: as CreateClosure, not_found.
func (a *App) UpdateClosure(ctx context.Context, actor *access.Actor, id string, seen int64, in wire.ClosureWrite) (wire.Closure, error) {
	return closures.edit(ctx, a, actor, id, seen, func(x *fleet.Closure) error { return a.applyClosure(ctx, x, in) })
}

// DeleteClosure removes a closure and frees its id of feeds. Requires
// DELETE_CLOSURE and full reach. Refusals: not_found.
func (a *App) DeleteClosure(ctx context.Context, actor *access.Actor, id string) error {
	return closures.remove(ctx, a, actor, id)
}

// MayDrawClosure refuses who can neither make nor edit a closure. Requires DRAW_CLOSURE.
func (a *App) MayDrawClosure(actor *access.Actor) error { return actor.Must("DRAW_CLOSURE") }

// closureManual is the kind of closures that people make and end.
const closureManual = "manual"

// applyClosure is the law of closures (specification section 5, Closure): what is
// said is put over the closure, and then it must hold as a whole.
func (a *App) applyClosure(ctx context.Context, x *fleet.Closure, in wire.ClosureWrite) error {
	wrong := map[string]string{}
	wire.Texts(wrong, x, &in)
	wire.Take(x, &in)
	if in.OrganizationID != nil {
		x.OrganizationID = in.OrganizationID.String()
	}
	if in.IsInService != nil {
		x.OutOfService = !*in.IsInService
	}
	if in.IsWZDxCompliant != nil {
		x.IsPublished = *in.IsWZDxCompliant
	}
	if in.ClosureType != nil && *in.ClosureType != x.Kind {
		wrong["closure_type"] = "Unknown closure type"
	}
	if in.IsDashboardManaged != nil && !*in.IsDashboardManaged {
		wrong["is_dashboard_managed"] = "A closure that is not managed here comes from a feed"
	}
	if x.Direction != "" && !slices.Contains(catalog.AllEnums().ClosureDirections, x.Direction) {
		wrong["direction"] = "N, E, S or W"
	}
	named(wrong, "location_method", x.LocationMethod, catalog.AllEnums().LocationMethods)
	named(wrong, "vehicle_impact", x.VehicleImpact, catalog.AllEnums().VehicleImpacts)
	if in.IsActive != nil || in.StartTime != nil || in.EndTime != nil {
		x.Schedule(wrong, closureTimes(in), a.now())
	}
	of, err := store.OrganizationByID(ctx, a.Store.Reader(), x.OrganizationID)
	if err != nil && !errors.Is(err, store.ErrNotFound) { // one that is not there is out of reach: the kit says so
		return err
	}
	x.Check(wrong, of.WZDx)
	if len(wrong) > 0 {
		return fleet.RefuseFields(wrong)
	}
	return nil
}

// closureTimes are the times of a write, those left out as none.
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

// named refuses a value that is not in a list; empty is not said.
func named(wrong map[string]string, field, value string, list []catalog.Named) {
	if value != "" && !slices.ContainsFunc(list, func(n catalog.Named) bool { return n.Name == value }) {
		wrong[field] = "Unknown value"
	}
}

// closureWire is a closure as lists show it, judged now; for the audit (a nil) as
// it is stored, active when it has times.
func (a *App) closureWire(x *fleet.Closure) (out wire.Closure) {
	wire.Same(&out, x)
	out.ClosureType, out.IsInService, out.IsDashboardManaged, out.IsWZDxCompliant = x.Kind, !x.OutOfService, true, x.IsPublished
	out.StartTime, out.EndTime, out.LastStartTime = x.StartAt, x.EndAt, x.LastStartAt
	out.ImpactedLanes, out.GeocodedRoute = listed(x.ImpactedLanes), listed(x.GeocodedRoute)
	out.CalculatedRoute, out.UserRoute = listed(x.CalculatedRoute), listed(x.UserRoute)
	if x.TotalLanes > 0 {
		out.TotalLanes = &x.TotalLanes
	}
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
	now := a.now()
	out.LastStartTime, out.EndedAt = x.LastStartedAt(now), x.LastEndedAt(now)
	if x.IsActiveAt(now) {
		out.IsActive, out.Status = true, "active"
	}
	return out
}

// listed is a list that travels as [] when it is empty.
func listed[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}
