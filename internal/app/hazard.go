package app

import (
	"cmp"
	"context"
	"errors"

	"lightbar/internal/access"
	"lightbar/internal/fleet"
	"lightbar/internal/live"
	"lightbar/internal/record"
	"lightbar/internal/store"
	"lightbar/internal/wire"
)

// hazards are dangers on roads that senders and people report. Nobody edits a sender's report; anyone on shift can report that the
// hazard is still there, or gone.
var hazards = record.NewResource(resource[fleet.Hazard, wire.Hazard, wire.HazardWrite]{
	Name: "hazard", Missing: "Hazard not found", Views: "VIEW_HAZARDS", Adds: "ADD_HAZARD", Edits: "EDIT_HAZARD", Deletes: "ADD_HAZARD",
	Make: reportHazard, Law: amendHazard, Ends: takeBackHazard,
	MayRemove: func(_ *access.Actor, h *fleet.Hazard) error { return h.MustBeByHand() },
	CheckEmpty: func(wrong map[string]string) {
		new(fleet.Hazard).ReportByHand(wrong, fleet.HazardInput{}, fleet.HazardHand{}, 0)
	},
	Message: fleet.MessageHazard, Full: fleet.MessageHazardFull, PartMessage: fleet.MessageHazardPart,
	Rows: store.Hazards, Row: (*App).hazardWire, Part: (*App).hazardPart, Gone: wire.GoneHazard, Lasting: true,
	Of: func(h *fleet.Hazard) record.Fields {
		return record.Fields{ID: &h.ID, Owner: &h.OrganizationID, Version: &h.Version, UpdatedAt: &h.UpdatedAt, DeletedAt: &h.DeletedAt}
	},
	Alike: (*fleet.Hazard).SameReport, Doc: docOfHazard, Clash: hazardRoom,
	PutInPicture: func(c *live.Change, h *fleet.Hazard) error {
		c.PutHazard(h)
		return nil
	},
})

// ConfirmHazard notes that the actor sees a hazard: it lives for at least one more hour, and one that ended within the last day is
// active again. Requires VIEW_HAZARDS and full reach. Refusals: not_found, hazard_over.
func (a *App) ConfirmHazard(ctx context.Context, actor *access.Actor, id string) (wire.Hazard, error) {
	return a.pressHazard(ctx, actor, id, "confirm", (*fleet.Hazard).Confirm)
}

// ClearHazard notes that the actor sees that a hazard is gone; a hazard that has ended stays as it is. Requires VIEW_HAZARDS and
// full reach. Refusals: not_found.
func (a *App) ClearHazard(ctx context.Context, actor *access.Actor, id string) (wire.Hazard, error) {
	return a.pressHazard(ctx, actor, id, "clear", func(h *fleet.Hazard, by fleet.HazardHand, now fleet.Instant) error {
		h.Clear(by, now)
		return nil
	})
}

func (a *App) pressHazard(ctx context.Context, actor *access.Actor, id, verb string,
	law func(h *fleet.Hazard, by fleet.HazardHand, now fleet.Instant) error) (wire.Hazard, error) {
	door := *hazards.Door()
	door.Requires = hazards.Views // anyone on shift may do it
	return record.Edit(ctx, a, actor, &door, id, nil, func(e *record.Editing[*App, fleet.Hazard]) error {
		by, err := hazardHand(e, e.Tx, actor)
		if err != nil {
			return err
		}
		e.Verb = verb
		return law(&e.Next, by, e.At)
	})
}

// recordHazards stores the hazards of a batch for the key's organization.
func (a *App) recordHazards(ctx context.Context, actor *access.Actor, reports []fleet.HazardReport, result *ReportResult) error {
	if len(reports) == 0 {
		return nil
	}
	key, err := store.KeyByID(ctx, a.Store.Reader(), actor.KeyID)
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return err
	}
	by := fleet.HazardHand{Kind: "key", ID: actor.KeyID, Name: key.Description, OrganizationID: actor.OrganizationID}
	ofOne := fleet.Refuse("hazard_key", "type", "This key reports for a single asset. Hazards require an organization key.")
	return recordMarks(ctx, a, actor, ofOne, reports, result, func(c *live.Change, tx *store.Tx, g *markGroup[*fleet.HazardReport]) error {
		return a.takeHazards(ctx, tx, c, by, g)
	})
}

// takeHazards applies reports to their hazards; by is the author of the reports.
func (a *App) takeHazards(ctx context.Context, tx *store.Tx, c *live.Change, by fleet.HazardHand, g *markGroup[*fleet.HazardReport]) error {
	changes, err := judgeHazardsIn(ctx, tx, c, by, g)
	if err != nil {
		return err
	}
	for _, change := range changes {
		if change.aside != "" {
			if err := tx.HazardAside(ctx, change.aside, c.Now()); err != nil {
				return err
			}
		}
		if err := a.saveHazard(ctx, tx, c, change.old, change.next); err != nil {
			return err
		}
	}
	return nil
}

// takeFeedHazards applies what a feed reports, and returns how many reports changed something and for how many there was no room.
func (a *App) takeFeedHazards(ctx context.Context, tx *store.Tx, c *live.Change, by fleet.HazardHand, reports []*fleet.HazardReport) (
	accepted, refused int, err error) {
	g := &markGroup[*fleet.HazardReport]{reports: reports, refused: map[int]*fleet.Refusal{}}
	err = a.takeHazards(ctx, tx, c, by, g)
	return g.accepted, len(g.refused), err
}

// judgeHazardsIn is judgeHazards for writers.
func judgeHazardsIn(ctx context.Context, tx *store.Tx, c *live.Change, by fleet.HazardHand, g *markGroup[*fleet.HazardReport]) (
	[]hazardChange, error) {
	if err := record.LockOrganizations(ctx, tx, by.OrganizationID); err != nil {
		return nil, err
	}
	return judgeHazards(ctx, tx, c.Now(), c.NewID, by, g)
}

// hazardChange is what a report does to a hazard; old is nil if it is new. aside is a hazard in its place that cannot be read.
type hazardChange struct {
	old, next *fleet.Hazard
	aside     string
}

// judgeHazards returns what reports change, in their order, and writes nothing.
func judgeHazards(ctx context.Context, r store.Reader, now fleet.Instant, newID func() string, by fleet.HazardHand,
	g *markGroup[*fleet.HazardReport]) (out []hazardChange, err error) {
	quota, err := store.HazardQuota(ctx, r, by.OrganizationID)
	if err != nil {
		return nil, err
	}
	changed := map[string]*fleet.Hazard{} // a batch may contain the same one twice
	for i, report := range g.reports {
		old, unread := changed[report.ID], store.UnreadRow{}
		if old == nil {
			found, err := store.HazardByExternalID(ctx, r, by.OrganizationID, by.FeedID(), report.ID)
			if err == nil {
				old = &found
			} else if !errors.As(err, &unread) && !errors.Is(err, store.ErrNotFound) {
				return nil, err
			}
		}
		if old == nil && !report.HasLat {
			g.refused[i] = fleet.Refuse("lat_missing", "lat", "lat and lng are required for a new hazard")
			continue
		}
		next := nextHazard(old, report, by, now, newID)
		if next == nil {
			g.duplicates++
			continue
		}
		counted := quota
		counted.Count(old, -1)
		counted.Count(next, 1)
		if why := counted.Exceeded(); why != nil && (counted.Active > quota.Active || counted.Weight > quota.Weight) {
			g.refused[i] = why
			continue
		}
		quota, changed[report.ID] = counted, next
		g.accepted++
		out = append(out, hazardChange{old, next, unread.Key})
	}
	return out, nil
}

// nextHazard is the hazard after a report; nil if the report changes nothing.
func nextHazard(old *fleet.Hazard, r *fleet.HazardReport, by fleet.HazardHand, now fleet.Instant, newID func() string) *fleet.Hazard {
	if old == nil {
		return fleet.NewHazard(newID(), by.OrganizationID, r, by, now)
	}
	next := *old
	if !next.Report(r, by, now) {
		return nil
	}
	next.Version++
	return &next
}

// saveHazard writes a hazard that a sender or the clock has changed, and publishes it; old is nil if it is new.
func (a *App) saveHazard(ctx context.Context, tx *store.Tx, c *live.Change, old, next *fleet.Hazard) (err error) {
	next.UpdatedAt = c.Stamp()
	if old == nil || old.Lat != next.Lat || old.Lng != next.Lng {
		next.Street = cmp.Or(a.Live.Street(next.Lat, next.Lng, -1), next.Street)
	}
	stored := false
	if old == nil {
		stored, err = hazards.Rows.Insert(ctx, tx, next)
	} else {
		stored, err = hazards.Rows.Update(ctx, tx, next, old.Version)
	}
	if err == nil && !stored {
		err = errors.New("app: a hazard was written by somebody else") // impossible while the writer is held
	}
	switch {
	case err != nil:
		return err
	case next.DeletedAt != 0:
		hazards.PublishGone(c, next)
	default:
		hazards.Publish(a, c, next)
	}
	c.PutHazard(next)
	return nil
}

// withdrawHazards ends stopped traffic that units have driven through.
func (a *App) withdrawHazards(ctx context.Context, drives []live.Drive) error {
	return a.Change(ctx, func(c *live.Change, tx *store.Tx) error {
		for _, d := range drives {
			old, err := hazards.Rows.ByID(ctx, tx, d.HazardID)
			if errors.Is(err, store.ErrUnreadable) {
				continue
			}
			if err != nil {
				return err
			}
			next := old
			if !next.Withdraw(d.By, d.From, c.Now()) {
				continue
			}
			next.Version++
			if err := a.saveHazard(ctx, tx, c, &old, &next); err != nil {
				return err
			}
		}
		return nil
	})
}

// hazardsAtOnce is how many hazards the clock ends in one transaction.
const hazardsAtOnce = 200

// ageHazards ends hazards that have expired, and removes from the lists those that ended a day ago.
func (a *App) ageHazards(ctx context.Context) error {
	for {
		due, err := store.HazardsDue(ctx, a.Store.Reader(), a.now(), hazardsAtOnce)
		if err != nil || len(due) == 0 {
			return err
		}
		err = a.Change(ctx, func(c *live.Change, tx *store.Tx) error {
			due, err := store.HazardsDue(ctx, tx, c.Now(), hazardsAtOnce)
			if err != nil {
				return err
			}
			for i := range due {
				next := due[i].Age(c.Now())
				next.Version++
				if err := a.saveHazard(ctx, tx, c, &due[i], &next); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
}

// hazardWire is a hazard as lists show it now; for the audit (a is nil) as it is stored, without the name of its organization.
func (a *App) hazardWire(h *fleet.Hazard) (out wire.Hazard) {
	is := *h
	if a != nil {
		is = h.At(a.now())
	}
	wire.Same(&out, &is)
	out.Type, out.StartTime, out.IsActive = is.Kind, is.StartAt, is.EndedAt == 0
	if is.EndReason != "" {
		out.EndReason = &is.EndReason
	}
	out.ConfirmedBy, out.EndedBy, out.ReportedBy = nil, nil, nil
	if by := is.ReportedBy; by != nil {
		name := a.handName(h, by)
		out.ReportedBy = &name
	}
	if by := is.ConfirmedBy; by != nil {
		name := a.handName(h, by)
		out.ConfirmedBy = &name
	}
	if by := is.EndedBy; by != nil {
		out.EndedBy = &wire.HazardEnder{Kind: by.Kind, ID: by.ID, Name: a.handName(h, by)}
		if by.Kind == "thing" {
			out.EndedBy.Speed = &by.SpeedMS
		}
	}
	out.OrganizationName = a.organizationName(h.OrganizationID)
	return out
}

// handName is the name that a hazard's organization sees for the person who confirmed or ended it: for a person of another
// organization, that organization's name.
func (a *App) handName(h *fleet.Hazard, by *fleet.HazardHand) string {
	if by.Kind != "user" || by.OrganizationID == h.OrganizationID || a == nil {
		return by.Name
	}
	return a.organizationName(by.OrganizationID)
}

// hazardPart is a hazard for users who can only read its organization: they see which organization did what, not who in it.
func (a *App) hazardPart(h *fleet.Hazard) wire.Hazard {
	is := *h
	for _, by := range []**fleet.HazardHand{&is.ConfirmedBy, &is.EndedBy, &is.ReportedBy} {
		if *by != nil {
			hidden := **by
			hidden.ID, hidden.Name, hidden.OrganizationID = "", a.organizationName(hidden.OrganizationID), h.OrganizationID
			*by = &hidden
		}
	}
	return a.hazardWire(&is)
}
