package app

import (
	"cmp"
	"context"
	"math"
	"slices"

	"lightbar/internal/access"
	"lightbar/internal/feed"
	"lightbar/internal/fleet"
	"lightbar/internal/record"
	"lightbar/internal/store"
	"lightbar/internal/wire"
)

// CheckClosure returns what a closure would conflict with if it were saved like this, and saves nothing; the stored closure with
// the same uuid is not compared. Requires DRAW_CLOSURE and full reach of its organization. Refusals: organization_not_found,
// validation_failed.
func (a *App) CheckClosure(ctx context.Context, actor *access.Actor, in wire.ClosureWrite) (out wire.ClosureCheck, err error) {
	if err := actor.Must("DRAW_CLOSURE"); err != nil {
		return out, err
	}
	e := record.Trial[*App, fleet.Closure](ctx, a, actor)
	e.Next = fleet.Closure{OrganizationID: actor.OrganizationID, Kind: fleet.ClosureManual}
	if err := applyClosure(e, in); err != nil {
		return out, err
	}
	x := e.Next
	if err := actor.MustReachFully(x.OrganizationID); err != nil {
		return out, err
	}
	if in.UUID.IsSent() {
		x.ID = in.UUID.String()
	}
	out.Problems, out.Previews, out.Conflicts = []wire.PublishProblem{}, []wire.ClosurePreview{}, []wire.ClosureConflict{}
	if x.IsPublished {
		for _, problem := range feed.Problems(&x) {
			out.Problems = append(out.Problems, wire.PublishProblem(problem))
		}
		for _, preview := range feed.Previews(a.closureAt(&x), a.now()) {
			out.Previews = append(out.Previews, wire.ClosurePreview(preview))
		}
	}
	organizations := []string{x.OrganizationID}
	for id := range actor.Organizations {
		if id != x.OrganizationID && actor.Reach(id) != access.None {
			organizations = append(organizations, id)
		}
	}
	for _, id := range organizations {
		if err := a.conflicts(ctx, &x, id, &out); err != nil {
			return out, err
		}
	}
	slices.SortFunc(out.Conflicts, func(a, b wire.ClosureConflict) int {
		return cmp.Or(cmp.Compare(b.Overlap.DistanceM, a.Overlap.DistanceM), cmp.Compare(a.ID, b.ID))
	})
	return out, nil
}

// conflicts adds the closures of an organization that overlap the given one. It compares boxes first, then times, then lines.
func (a *App) conflicts(ctx context.Context, x *fleet.Closure, organizationID string, out *wire.ClosureCheck) error {
	var others []*fleet.Closure
	err := a.Store.Read(ctx, func(r store.Reader) (err error) {
		if others, err = a.feeds.of(organizationID).standing(ctx, r, organizationID, a.now()); err != nil {
			return err
		}
		ofFeeds, err := store.ClosuresOfFeeds(ctx, r, organizationID)
		others = append(others, ofFeeds...)
		return err
	})
	if err != nil {
		return err
	}
	of, _ := a.Live.Organization(organizationID)
	line, now := feed.Route(x), a.now()
	box := fleet.BoxOf(line)
	for _, other := range others {
		if other.ID == x.ID || other.OutOfService || !box.Meets(fleet.BoxOf(feed.Route(other))) {
			continue
		}
		both := fleet.Meeting(x, other, now)
		if both.From == 0 {
			continue
		}
		if meters, stretches := fleet.Shared(line, feed.Route(other)); meters > 0 {
			out.Conflicts = append(out.Conflicts, wire.ClosureConflict{ID: other.ID, Description: other.Description,
				Source:  cmp.Or(other.Source, of.Name),
				Overlap: wire.ClosureOverlap{DistanceM: math.Round(meters), StartTime: both.From, EndTime: both.To, Lines: stretches}})
		}
	}
	return nil
}
