package app

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"lightbar/catalog"
	"lightbar/internal/file"
	"lightbar/internal/fleet"
	"lightbar/internal/store"
	"lightbar/internal/store/points"
)

// How much an export holds in memory.
const (
	closuresAtOnce = 500
	pointsAtOnce   = 20_000
)

// points writes a table for each asset and each day on which it reported. Points are assigned to days by the device's own clock.
func (m *exportMaker) points(ctx context.Context) error {
	days := m.days()
	taken := map[string]bool{}
	for i, a := range m.exported {
		name := nameOfTable(a, taken)
		for j, day := range days {
			n := i*len(days) + j
			if n < m.begin {
				continue // made before the mark
			}
			if err := m.tell(ctx, n, len(m.exported)*len(days)); err != nil {
				return err
			}
			if err := m.pointsOfDay(ctx, a, name, day); err != nil {
				return err
			}
		}
	}
	return nil
}

// nameOfTable is the name of an asset's tables. Two equal names would become one file when unpacked, also if they differ only by
// letter case.
func nameOfTable(a *file.ExportAsset, taken map[string]bool) string {
	first := cmp.Or(inName(a.Name()), inName(a.SystemName), "asset")
	name := first
	for n := 2; taken[strings.ToLower(name)]; n++ {
		name = fmt.Sprintf("%s-%d", first, n)
	}
	taken[strings.ToLower(name)] = true
	return name
}

// days are the calendar days in the export's time zone, cut to its period.
func (m *exportMaker) days() (out []fleet.Stretch) {
	for from := m.x.StartAt; from < m.x.EndAt; {
		next := fleet.NextDay(from, m.zone)
		out = append(out, fleet.Stretch{Start: from, End: min(next, m.x.EndAt)})
		from = next
	}
	return out
}

func (m *exportMaker) pointsOfDay(ctx context.Context, a *file.ExportAsset, name string, day fleet.Stretch) error {
	begun := false
	write := func(p *fleet.Point) error {
		if !begun {
			begun = true
			table := "points_" + name + "_" + day.Start.Time().In(m.zone).Format("2006-01-02") + "_" + inName(m.x.TimeZone)
			if err := m.table(table, file.PointColumns); err != nil {
				return err
			}
		}
		m.count()
		return file.WritePoint(m.writers, a, p)
	}
	for _, owned := range a.Owned {
		part := fleet.Stretch{Start: max(day.Start, owned.Start), End: min(day.End, owned.End)}
		if part.Start >= part.End {
			continue
		}
		hours, err := points.HoursOfThing(ctx, m.Store.Reader(), a.No, part.Start, part.End-1)
		if err != nil {
			return err
		}
		for _, some := range readings(hours) {
			from := max(part.Start, fleet.Instant(some[0].Slot*time.Hour.Milliseconds()))
			to := min(part.End, fleet.Instant((some[len(some)-1].Slot+1)*time.Hour.Milliseconds())) - 1
			damaged, err := m.reading.Each(ctx, m.Store.Reader(), a.No, from, to, write)
			if err != nil {
				return err
			}
			m.nameDamaged(ctx, damaged)
			for _, b := range damaged {
				m.lacking("Points of " + a.Name() + " in the hour from " + b.Start().String() + " could not be read; some are missing.")
			}
		}
	}
	return nil
}

// readings groups the hours that are read at once: a day of most devices, less for one that reports ten times a second.
func readings(hours []points.Hour) (out [][]points.Hour) {
	first, n := 0, int64(0)
	for i, h := range hours {
		if n += h.Points; n > pointsAtOnce && i > first {
			out, first, n = append(out, hours[first:i]), i, h.Points
		}
	}
	if first < len(hours) {
		out = append(out, hours[first:])
	}
	return out
}

// incidents writes the incidents and events that began in the export's period, and the stays of the organization's assets at them.
func (m *exportMaker) incidents(ctx context.Context) error {
	names := map[string]string{}
	for _, a := range m.exported {
		names[a.ID] = a.Name()
	}
	zone := inName(m.x.TimeZone)
	var shown []*fleet.Location
	stays := map[string][]fleet.Presence{}
	for i, days := 0, m.days(); i < len(days); i++ {
		if err := m.tell(ctx, i, len(days)); err != nil {
			return err
		}
		found, err := store.LocationsOfOrganization(ctx, m.Store.Reader(), m.x.OrganizationID, days[i].Start, days[i].End)
		if err != nil {
			return err
		}
		for _, l := range found {
			// Stays of other organizations' assets are theirs to share.
			own := slices.DeleteFunc(slices.Clone(l.Presences), func(p fleet.Presence) bool { return names[p.ThingID] == "" })
			isAsked := len(own) > 0 || len(m.x.ThingIDs) == 0
			if len(l.Presences) == 0 {
				isAsked = m.x.WithoutThings
			}
			if isAsked {
				shown, stays[l.ID] = append(shown, l), own
			}
		}
	}
	if err := m.table("incidents_"+zone, file.IncidentColumns); err != nil {
		return err
	}
	for _, l := range shown {
		if err := file.WriteIncidentRow(m.row, l, stays[l.ID]); err != nil {
			return err
		}
	}
	if err := m.table("incident-assets_"+zone, file.IncidentAssetColumns); err != nil {
		return err
	}
	for _, l := range shown {
		for i := range stays[l.ID] {
			p := &stays[l.ID][i]
			if err := file.WriteIncidentAssetRow(m.row, l, p, names[p.ThingID]); err != nil {
				return err
			}
		}
	}
	return nil
}

// closures writes the closures of the chosen types, and those of the chosen assets, that lasted for some of the export's period.
func (m *exportMaker) closures(ctx context.Context) error {
	if err := m.table("closures_"+inName(m.x.TimeZone), file.ClosureColumns); err != nil {
		return err
	}
	for skip := 0; ; skip += closuresAtOnce {
		if err := m.tell(ctx, 0, 1); err != nil {
			return err
		}
		page, seen, err := store.ClosuresBetween(ctx, m.Store.Reader(), m.x.OrganizationID, m.x.StartAt, m.x.EndAt, closuresAtOnce, skip)
		if err != nil {
			return err
		}
		for i := range page {
			c := &page[i]
			if !slices.Contains(m.x.ClosureTypes, c.Kind) && !(c.ThingID != "" && slices.Contains(m.x.ThingIDs, c.ThingID)) {
				continue
			}
			if c.Recurrence != nil && !c.LastedIn(fleet.Stretch{Start: m.x.StartAt, End: m.x.EndAt}) {
				continue
			}
			if err := file.WriteClosureRow(m.row, c); err != nil {
				return err
			}
		}
		if seen < closuresAtOnce {
			return nil
		}
	}
}

// assets writes the data of the assets, and how many points and runs they have in the export's period.
func (m *exportMaker) assets(ctx context.Context) error {
	if err := m.table("assets_"+inName(m.x.TimeZone), file.AssetExportColumns); err != nil {
		return err
	}
	for i, a := range m.exported {
		if err := m.tell(ctx, i, len(m.exported)); err != nil {
			return err
		}
		for _, part := range a.Owned {
			if err := m.countOf(ctx, a, part); err != nil {
				return err
			}
		}
		kind := a.TypeID
		for _, t := range catalog.AllEnums().ThingTypes {
			if t.ID == a.TypeID {
				kind = strings.ToLower(t.Name)
			}
		}
		if err := file.WriteAssetRow(m.row, a, kind); err != nil {
			return err
		}
	}
	return nil
}

// countOf adds the points and runs of an asset in a part of the time.
func (m *exportMaker) countOf(ctx context.Context, a *file.ExportAsset, part fleet.Stretch) error {
	hours, err := points.HoursOfThing(ctx, m.Store.Reader(), a.No, part.Start, part.End-1)
	if err != nil {
		return err
	}
	for _, h := range hours {
		if h.First < part.Start || h.Last >= part.End { // a block holds a whole hour
			found, _, err := points.OfThing(ctx, m.Store.Reader(), a.No, max(h.First, part.Start), min(h.Last, part.End-1))
			if err != nil {
				return err
			}
			if h.Points = int64(len(found)); h.Points == 0 {
				continue
			}
			h.First, h.Last = found[0].At, found[len(found)-1].At
		}
		if a.PointCount += h.Points; a.FirstAt == 0 {
			a.FirstAt = h.First
		}
		a.LastAt = h.Last
	}
	runs, err := store.RunsBetween(ctx, m.Store.Reader(), a.No, part.Start, part.End-1)
	if err != nil {
		return err
	}
	for _, run := range runs {
		if run.OrganizationID == m.x.OrganizationID && run.StartAt >= part.Start { // a run belongs to the day on which it begins
			a.RunCount++
			a.RunSeconds += int64(run.EndAt.Sub(run.StartAt).Seconds())
		}
	}
	return nil
}
