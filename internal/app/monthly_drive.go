package app

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"time"

	"lightbar/internal/fleet"
	"lightbar/internal/store"
	"lightbar/internal/store/points"
)

// monthlyAsset is an asset, as its organization knows it now or knew it last, and its parts of the month.
type monthlyAsset struct {
	fleet.Thing
	parts []ownedPart
}

func (t *monthlyAsset) name() string { return fleet.DisplayName(t.Nickname, t.SystemName) }

// drives adds the organization's assets and what they did, one after the other.
func (m *monthlyMaker) drives(ctx context.Context) error {
	if err := m.owned(ctx); err != nil {
		return err
	}
	days := m.month.Days()
	for _, id := range sortedKeys(m.assets) {
		t := m.assets[id]
		asset := fleet.MonthlyAsset{ThingID: id, Name: t.name(), Type: thingTypeName(t.TypeID)}
		var drives []fleet.MonthlyDrive
		for _, part := range t.parts {
			drive, is, err := m.drive(ctx, t, part, days)
			if err != nil {
				return err
			}
			if !is {
				continue
			}
			drives = append(drives, drive)
			if m.since != 0 && m.since <= m.month.Start {
				refused, err := store.RefusedBetween(ctx, m.Store.Reader(), t.No, part.Start, part.End)
				if err != nil {
					return err
				}
				if asset.Refused == nil {
					asset.Refused = new(int64)
				}
				*asset.Refused += refused
			}
		}
		if len(drives) == 0 {
			continue // it was not known yet
		}
		var err error
		if asset.InService, err = m.wasInService(ctx, t); err != nil {
			return err
		}
		m.sums.AddAsset(asset, drives)
	}
	return nil
}

// owned reads the assets that were the organization's for some of the month, including those given away or removed.
func (m *monthlyMaker) owned(ctx context.Context) error {
	stretches, err := store.OwnedBetween(ctx, m.Store.Reader(), m.of.ID, m.month.Start, m.month.End)
	if err != nil {
		return err
	}
	for _, o := range stretches {
		part := ownedPart{Stretch: fleet.Stretch{Start: o.From, End: o.Until}, ThingID: o.ThingID, OrganizationID: m.of.ID, present: o.Until == 0}
		var as *fleet.Thing
		if o.Until == 0 {
			thing, state, _, there := m.Live.Thing(o.ThingID)
			if !there {
				continue // removed at this moment: the next run has it
			}
			part.End, part.state, as = fleet.Instant(1<<62), state, &thing
		} else if as = o.Doc; as == nil {
			continue
		}
		part.No, part.name = as.No, as.SystemName
		t := m.assets[o.ThingID]
		if t == nil {
			t = &monthlyAsset{}
			m.assets[o.ThingID] = t
		}
		t.Thing = *as // the newest last
		t.parts = append(t.parts, part.clipped(m.month.Stretch))
	}
	return nil
}

// wasInService reports whether an asset was the organization's and in service when the month ended.
func (m *monthlyMaker) wasInService(ctx context.Context, t *monthlyAsset) (bool, error) {
	if t.parts[len(t.parts)-1].End < m.month.End {
		return false, nil
	}
	if t.UpdatedAt <= m.month.End {
		return t.InService, nil
	}
	doc, err := store.VersionAt(ctx, m.Store.Reader(), "thing", t.ID, m.month.End-1)
	if errors.Is(err, store.ErrNotFound) {
		return t.InService, nil
	}
	if err != nil {
		return false, err
	}
	was := struct {
		InService *bool `json:"in_service"`
	}{}
	if err := json.Unmarshal(doc, &was); err != nil || was.InService == nil {
		return t.InService, err // a document that has only what was sent for a new asset
	}
	return *was.InService, nil
}

// monthlyPiece is how much of an asset's month is read at once, if there are not too many points.
const monthlyPiece = 24 * time.Hour

// drive adds what an asset did in a part of the month. false: it was not known then.
func (m *monthlyMaker) drive(ctx context.Context, t *monthlyAsset, part ownedPart, days []fleet.Stretch) (out fleet.MonthlyDrive, is bool,
	err error) {
	r := m.Store.Reader()
	of := fleet.Stretch{Start: max(part.Start, t.CreatedAt), End: part.End}
	if of.Start >= of.End { // true for nearly a whole fleet that has just joined: each of its assets is queried once
		early, err := points.HoursOfThing(ctx, r, part.No, part.Start, part.End.Add(fleet.MonthlySilence()+fleet.MaxReportAhead()))
		if err != nil || len(early) == 0 {
			return out, false, err
		}
	}
	runs, err := runsOfPart(ctx, r, part)
	if err != nil {
		return out, false, err
	}
	before, err := m.before(ctx, part)
	if err != nil {
		return out, false, err
	}
	walk := fleet.NewMonthlyWalk(part.Stretch, of, days, runs, before)
	ahead := fleet.Instant(0)
	if part.state.Skewed || !part.present { // its own instants may be later than the effective ones
		ahead = fleet.Instant(fleet.MaxReportAhead().Milliseconds())
	}
	last := walk.Ends()
	if part.End == m.month.End {
		last = max(last, part.End.Add(fleet.MonthlySilence())+1)
	}
	end := last + ahead
	hours, err := points.HoursOfThing(ctx, r, part.No, part.Start, end)
	if err != nil {
		return out, false, err
	}
	if of.Start >= of.End && len(hours) == 0 {
		return out, false, nil
	}
	waits := reported{}
	for from := part.Start; from < end; {
		if err := ctx.Err(); err != nil {
			return out, false, err
		}
		to := endOfPiece(hours, from, end)
		damaged, err := waits.read(ctx, r, part, from, to-1, last)
		if err != nil {
			return out, false, err
		}
		m.nameDamaged(ctx, damaged)
		for _, b := range damaged {
			m.damaged[b] = true
		}
		waits.take(walk, to-ahead)
		from = to
	}
	waits.take(walk, last)
	return walk.Finish(), true, nil
}

// before returns the last report of an asset shortly before a part, if it was the organization's then, and the last report about
// its lights.
func (m *monthlyMaker) before(ctx context.Context, part ownedPart) (out fleet.OnOffReport, err error) {
	r := m.Store.Reader()
	if out.On, err = points.AlertingBefore(ctx, r, part.No, part.Start); err != nil || part.Start != m.month.Start {
		return out, err
	}
	waits, early := reported{}, part
	early.Start = part.Start.Add(-fleet.MonthlySilence())
	_, err = waits.read(ctx, r, early, early.Start, part.Start-1, part.Start)
	for _, p := range waits.points {
		out.At = max(out.At, p.EffectiveAt())
	}
	for _, s := range waits.said {
		out.At = max(out.At, s.At)
	}
	for _, at := range waits.heard {
		out.At = max(out.At, at)
	}
	return out, err
}

// endOfPiece is where a piece of reading from an instant ends: after a day, or where there are enough points.
func endOfPiece(hours []points.Hour, from, end fleet.Instant) fleet.Instant {
	hour := fleet.Instant(time.Hour.Milliseconds())
	to, n := min(end, from.Add(monthlyPiece)), int64(0)
	for _, h := range hours {
		start := fleet.Instant(h.Slot) * hour
		if start+hour <= from {
			continue
		}
		if start >= to {
			break
		}
		if n += h.Points; n > pointsAtOnce && start > from {
			return start
		}
	}
	return to
}

// reported are reports of an asset that wait: reports that are still to be read may be earlier.
type reported struct {
	points []fleet.Point
	said   []fleet.OnOffReport
	heard  []fleet.Instant
}

// read adds reports with own instants from, to (both included), and with effective ones in the part and until end.
func (w *reported) read(ctx context.Context, r store.Reader, part ownedPart, from, to, end fleet.Instant) ([]points.Block, error) {
	in := func(at fleet.Instant) bool { return at >= part.Start && at < end }
	found, damaged, err := points.OfThing(ctx, r, part.No, from, to)
	if err != nil {
		return nil, err
	}
	for _, p := range found {
		if in(p.EffectiveAt()) {
			w.points = append(w.points, p)
		}
	}
	signals, err := points.SignalsOfThing(ctx, r, part.No, from, to)
	if err != nil {
		return nil, err
	}
	for _, s := range signals {
		switch at := s.EffectiveAt(); {
		case !in(at):
		case s.HasAlerting():
			w.said = append(w.said, fleet.OnOffReport{At: at, On: s.On})
		default:
			w.heard = append(w.heard, at)
		}
	}
	slices.SortStableFunc(w.points, func(p, q fleet.Point) int { return int(p.EffectiveAt() - q.EffectiveAt()) })
	slices.SortStableFunc(w.said, func(x, y fleet.OnOffReport) int { return int(x.At - y.At) })
	slices.Sort(w.heard)
	return damaged, nil
}

// take continues the walk through the reports before an instant.
func (w *reported) take(walk *fleet.MonthlyWalk, before fleet.Instant) {
	p, _ := slices.BinarySearchFunc(w.points, before, func(p fleet.Point, at fleet.Instant) int { return int(p.EffectiveAt() - at) })
	s, _ := slices.BinarySearchFunc(w.said, before, func(s fleet.OnOffReport, at fleet.Instant) int { return int(s.At - at) })
	h, _ := slices.BinarySearch(w.heard, before)
	walk.Take(w.points[:p], w.said[:s], w.heard[:h])
	w.points, w.said, w.heard = slices.Delete(w.points, 0, p), slices.Delete(w.said, 0, s), slices.Delete(w.heard, 0, h)
}
