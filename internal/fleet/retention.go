package fleet

import (
	"slices"
	"time"

	"lightbar/catalog"
)

// DataKind is a kind of data that the clock deletes when its time is over.
type DataKind struct {
	Name string
	// Limit is how long it is stored, in Unit; nil = as long as the installation lasts.
	Limit *catalog.Settable
	Unit  time.Duration
	// IsHeld: legal holds protect it. Data that belongs to nobody, or is no record of anything, is not held.
	IsHeld bool
	// IsOfThing: holds of one asset keep its rows.
	IsOfThing bool
	// IsOfOrganization: each organization has its own rows.
	IsOfOrganization bool
}

// The kinds of data by name.
const (
	DataPoints   = "points" // and signals
	DataRuns     = "runs"
	DataEvents   = "events" // with the stays of assets
	DataVisits   = "visits"
	DataClosures = "closures"
	DataHazards  = "hazards"
	DataCommands = "commands" // of devices
	DataFindings = "findings" // of the watchdog
	DataDeleted  = "deleted"  // areas, zones, feeds and exports that someone deleted
	DataExports  = "exports"
	DataFetches  = "feed_reads"
	DataMails    = "mails"
	DataSessions = "sessions"
	DataRefusals = "refusals"
	DataAudit    = "audit"
)

var dataKinds = []DataKind{
	{DataPoints, catalog.Setting("retention", "pointsMs"), time.Millisecond, true, true, true},
	{DataRuns, catalog.Setting("retention", "runsMs"), time.Millisecond, true, true, true},
	{DataEvents, catalog.Setting("retention", "eventsMs"), time.Millisecond, true, true, true},
	{DataVisits, catalog.Setting("area", "visitsKeptMs"), time.Millisecond, true, true, true},
	{DataClosures, catalog.Setting("retention", "closuresMs"), time.Millisecond, true, true, true},
	{DataHazards, catalog.Setting("hazard", "forgottenMs"), time.Millisecond, true, false, true},
	{DataCommands, catalog.Setting("retention", "commandsMs"), time.Millisecond, true, true, true},
	{DataFindings, catalog.Setting("retention", "findingsMs"), time.Millisecond, true, true, true},
	{DataDeleted, catalog.Setting("retention", "deletedMs"), time.Millisecond, true, true, true},
	{DataExports, catalog.Setting("export", "keptMs"), time.Millisecond, true, false, true},
	{DataFetches, catalog.Setting("closure", "ledgerKeptDays"), 24 * time.Hour, true, false, true},
	{DataMails, catalog.Setting("retention", "mailsMs"), time.Millisecond, true, false, true},
	{DataSessions, catalog.Setting("retention", "sessionsMs"), time.Millisecond, true, false, true},
	{DataRefusals, catalog.Setting("retention", "refusalsMs"), time.Millisecond, false, false, false},
	{DataAudit, nil, 0, false, false, true},
}

// DataKinds are all kinds of data that grow, in the order of lists.
func DataKinds() []DataKind { return slices.Clone(dataKinds) }

// KindOfData finds a kind by its name; it panics on one that is not there.
func KindOfData(name string) *DataKind {
	for i := range dataKinds {
		if dataKinds[i].Name == name {
			return &dataKinds[i]
		}
	}
	panic("fleet: no kind of data " + name)
}

// Retention is how long rows of the kind are stored, 0 = as long as the installation lasts.
func (k *DataKind) Retention() time.Duration {
	if k.Limit == nil {
		return 0
	}
	return time.Duration(k.Limit.Float()) * k.Unit
}

// RetentionDays is Retention in whole days, nil = as long as the installation lasts.
func (k *DataKind) RetentionDays() *int {
	if k.Limit == nil {
		return nil
	}
	days := int(k.Retention() / (24 * time.Hour))
	return &days
}

// NextPurge is when the oldest row of a kind goes: when its time is over, at the next turn of the clock. 0 = never.
func (k *DataKind) NextPurge(oldest, nextTurn Instant) Instant {
	if k.Limit == nil || oldest == 0 {
		return 0
	}
	return max(oldest.Add(k.Retention()), nextTurn)
}

// Growth is how much of a disk a kind of data takes each day, and for how many days more: then old data makes room for new.
type Growth struct {
	PerDay int64
	Days   float64 // < 0 = without end
}

// GrowthOf is the growth of a kind whose oldest row is of an instant, 0 = there is none.
func (k *DataKind) GrowthOf(perDay int64, oldest, now Instant) Growth {
	if k.Limit == nil {
		return Growth{perDay, -1}
	}
	if oldest == 0 {
		oldest = now
	}
	return Growth{perDay, max(0, k.Retention().Hours()/24-now.Sub(oldest).Hours()/24)}
}

// daysAhead is how far DaysUntilFull looks.
const daysAhead = 3650

// DaysUntilFull is in how many days kinds of data have taken the free bytes of a disk; -1 = not within ten years.
func DaysUntilFull(free int64, grow []Growth) int {
	left := float64(free)
	for day := range daysAhead {
		taken := 0.0
		for _, g := range grow {
			if g.Days < 0 || g.Days > float64(day) {
				taken += float64(g.PerDay)
			}
		}
		if taken <= 0 {
			return -1
		}
		if left -= taken; left < 0 {
			return day
		}
	}
	return -1
}
