package app

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"time"

	"lightbar/internal/feed"
	"lightbar/internal/fleet"
	"lightbar/internal/store"
	"lightbar/internal/store/points"
	"lightbar/internal/wire"
)

// closures adds the organization's own closures that were active for some of the month, as each was then.
func (m *monthlyMaker) closures(ctx context.Context) error {
	for skip := 0; ; skip += closuresAtOnce {
		found, seen, err := store.OwnClosuresSince(ctx, m.Store.Reader(), m.of.ID, m.month.Start, m.month.End, closuresAtOnce, skip)
		if err != nil {
			return err
		}
		for i := range found {
			if err := m.closure(ctx, &found[i]); err != nil {
				return err
			}
		}
		if seen < closuresAtOnce {
			return nil
		}
	}
}

func (m *monthlyMaker) closure(ctx context.Context, x *fleet.Closure) error {
	if x.DeletedAt != 0 && x.DeletedAt <= m.month.Start {
		return nil
	}
	changes, err := m.changesOf(ctx, closures.Name, x.ID, x.UpdatedAt)
	if err != nil {
		return err
	}
	versions, err := m.versionsOf(x, changes)
	if err != nil {
		return err
	}
	boards := map[string][]fleet.Stretch{}
	for i := range versions {
		c := &versions[i].Closure
		if _, known := boards[c.ThingID]; c.Kind != fleet.ClosureAutomated || c.ThingID == "" || known {
			continue
		}
		if boards[c.ThingID], err = m.board(ctx, c.ThingID, x); err != nil {
			return err
		}
	}
	row, stood := fleet.MonthlyClosureOf(m.month.Stretch, versions, boards, confirmedAt(changes))
	if stood {
		m.sums.Closures = append(m.sums.Closures, row)
	}
	return nil
}

// versionsOf returns the versions of a closure of the organization, and when each applied.
func (m *monthlyMaker) versionsOf(x *fleet.Closure, changes []fleet.AuditRow) (out []fleet.ClosureVersion, err error) {
	for _, p := range pastOf(changes, x.DeletedAt) {
		was := *x
		if p.doc != nil {
			if was, err = closureOfDoc(p.doc); err != nil {
				return nil, err
			}
		}
		if was.DeletedAt = 0; was.OrganizationID != m.of.ID || p.Start >= m.month.End || p.End <= m.month.Start {
			continue
		}
		out = append(out, fleet.ClosureVersion{Stretch: p.Stretch, Closure: was,
			IsPublished: m.of.WZDx && was.IsPublished && !was.OutOfService && len(feed.Problems(&was)) == 0})
	}
	return out, nil
}

// closureOfDoc is a closure as the audit stored it.
func closureOfDoc(doc json.RawMessage) (x fleet.Closure, err error) {
	var was closureDoc
	if err := json.Unmarshal(doc, &was); err != nil {
		return x, err
	}
	wire.Same(&x, &was.Closure)
	x.Kind, x.OutOfService, x.IsPublished, x.ThingID = was.ClosureType, !was.IsInService, was.IsWZDxCompliant, was.ThingID
	x.StartAt, x.EndAt, x.LastStartAt = was.StartTime, was.EndTime, was.LastStartTime
	x.EndEstimated, x.RecursSince = was.EndIsEstimated, was.RecursSince
	if was.TotalLanes != nil {
		x.TotalLanes = *was.TotalLanes
	}
	return x, nil
}

// confirmedAt returns the instants at which somebody confirmed that a closure was still active.
func confirmedAt(changes []fleet.AuditRow) (out []fleet.Instant) {
	for _, row := range changes {
		if row.Verb != "confirm" && row.Verb != "confirm_by_mail" {
			continue
		}
		if x, err := closureOfDoc(row.After); err == nil && x.IsActiveAt(row.At) {
			out = append(out, row.At)
		}
	}
	return out
}

// boardBefore is how long before the month the last report of a board is searched for.
const boardBefore = 31 * 24 * time.Hour

// board returns when the board of an asset was on. An older report is known from its closure, if that was active then.
func (m *monthlyMaker) board(ctx context.Context, thingID string, x *fleet.Closure) ([]fleet.Stretch, error) {
	no, err := m.numberOf(ctx, thingID)
	if err != nil || no == 0 {
		return nil, err
	}
	r, from := m.Store.Reader(), m.month.Start.Add(-boardBefore)
	hours, err := points.HoursOfThing(ctx, r, no, from, m.month.End)
	if err != nil {
		return nil, err
	}
	var reports []fleet.OnOffReport
	var heard []fleet.Instant
	for _, h := range hours {
		heard = append(heard, h.First, h.Last)
	}
	for at := from; at < m.month.End; at = at.Add(monthlyPiece) {
		signals, err := points.SignalsOfThing(ctx, r, no, at, min(at.Add(monthlyPiece), m.month.End)-1)
		if err != nil {
			return nil, err
		}
		for _, s := range signals {
			switch n, at := len(heard), s.EffectiveAt(); {
			case s.Kind == fleet.SignalClosure:
				reports = append(reports, fleet.OnOffReport{At: at, On: s.On})
			case n > 0 && at >= heard[n-1] && at.Sub(heard[n-1]) < time.Minute: // only long silences matter
			default:
				heard = append(heard, at)
			}
		}
	}
	slices.SortStableFunc(reports, func(a, b fleet.OnOffReport) int { return cmp.Compare(a.At, b.At) })
	slices.Sort(heard)
	if x.ThingID == thingID && (len(reports) == 0 || reports[0].At >= m.month.Start) {
		reports = slices.Concat(reportsBefore(x, from), reports)
	}
	return fleet.BoardStretches(reports, heard, m.month.End), nil
}

// reportsBefore returns the reports of a board, before an instant, that follow from its closure's times.
func reportsBefore(x *fleet.Closure, before fleet.Instant) (out []fleet.OnOffReport) {
	if x.LastStartAt != 0 && x.EndedAt != 0 && x.LastStartAt < before && x.EndedAt > before {
		out = append(out, fleet.OnOffReport{At: x.LastStartAt, On: true}, fleet.OnOffReport{At: x.EndedAt})
	}
	if x.StartAt != 0 && x.StartAt < before {
		out = append(out, fleet.OnOffReport{At: x.StartAt, On: true})
	}
	if len(out) > 0 { // it was active because reports came until then
		out = slices.Insert(out, 1, fleet.OnOffReport{At: before, On: true})
	}
	return out
}

// numberOf is the number under which an asset's points are stored, 0 = it is not known.
func (m *monthlyMaker) numberOf(ctx context.Context, thingID string) (int64, error) {
	if t := m.assets[thingID]; t != nil {
		return t.No, nil
	}
	if t, _, _, there := m.Live.Thing(thingID); there {
		return t.No, nil
	}
	owners, err := store.OwnersOfThing(ctx, m.Store.Reader(), thingID)
	if err != nil && err != store.ErrNotFound {
		return 0, err
	}
	for _, o := range slices.Backward(owners) {
		if o.Doc != nil {
			return o.Doc.No, nil
		}
	}
	return 0, nil
}
