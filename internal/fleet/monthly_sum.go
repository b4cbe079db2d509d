package fleet

import (
	"cmp"
	"slices"
	"strings"
	"time"
)

// MonthlySums adds up a month: in any order, the same additions give the same figures and rows.
type MonthlySums struct {
	Month     Month
	Assets    []MonthlyAssetRow
	Incidents []MonthlyIncidentRow
	Runs      []MonthlyRunRow
	Closures  []MonthlyClosureRow
	Feeds     MonthlyFeeds
	Stations  []MonthlyStation
	Refused   *int64
	Damaged   int

	days     []MonthlyDay
	driven   []int64 // decimeters by day
	runDM    int64
	otherDM  int64
	runMs    int64
	toScene  []int64
	onScene  []int64
	drives   map[string]*assetSum
	position map[string]int // of days by their date
}

// assetSum is what an asset did in all of its parts.
type assetSum struct{ runDM, otherDM int64 }

// NewMonthlySums begins the sums of a month.
func NewMonthlySums(m Month) *MonthlySums {
	s := &MonthlySums{Month: m, drives: map[string]*assetSum{}, position: map[string]int{}}
	for _, day := range m.Days() {
		s.days = append(s.days, MonthlyDay{Date: day.Start.Time().In(m.Zone).Format(time.DateOnly)})
		s.position[s.days[len(s.days)-1].Date] = len(s.days) - 1
	}
	s.driven = make([]int64, len(s.days))
	return s
}

// MonthlyAsset is an asset as a report calls it.
type MonthlyAsset struct {
	ThingID, Name, Type string
	InService           bool   // at the end of the month, the organization's then
	Refused             *int64 // nil: not counted for the month
}

// AddAsset adds an asset and what it did in its parts of the month.
func (s *MonthlySums) AddAsset(a MonthlyAsset, parts []MonthlyDrive) {
	row := MonthlyAssetRow{ThingID: a.ThingID, Name: a.Name, Type: a.Type, InService: a.InService, Refused: a.Refused}
	var own assetSum
	for i := range parts {
		p := &parts[i]
		own.otherDM += p.OtherDM
		row.AlertingMs, row.AlertPoints, row.Points = row.AlertingMs+p.AlertingMs, row.AlertPoints+p.AlertPoints, row.Points+p.Points
		row.CoveredMs, row.OfMs, row.SilentDays = row.CoveredMs+p.CoveredMs, row.OfMs+p.OfMs, row.SilentDays+p.SilentDays
		for _, r := range p.Runs {
			row.Runs++
			own.runDM += r.DM
			s.runMs += int64(r.EndAt - r.StartAt)
			s.Runs = append(s.Runs, MonthlyRunRow{RunID: r.ID, ThingID: a.ThingID, Name: a.Name, StartAt: r.StartAt, EndAt: r.EndAt,
				DistanceM: meters(r.DM), AlertingMs: r.AlertingMs})
		}
		for day := range p.Days {
			s.days[day].Runs += p.Days[day].Runs
			s.days[day].AlertingMs += p.Days[day].AlertingMs
			s.driven[day] += p.Days[day].DM
		}
	}
	row.RunDistanceM, row.OtherDistance = meters(own.runDM), meters(own.otherDM)
	s.runDM, s.otherDM = s.runDM+own.runDM, s.otherDM+own.otherDM
	if a.Refused != nil {
		if s.Refused == nil {
			s.Refused = new(int64)
		}
		*s.Refused += *a.Refused
	}
	s.Assets = append(s.Assets, row)
}

func meters(dm int64) float64 { return float64(dm) / 10 }

// AddIncident adds an incident that began in the month.
func (s *MonthlySums) AddIncident(row MonthlyIncidentRow) {
	for _, stay := range row.Stays {
		if stay.ToSceneMs != nil {
			s.toScene = append(s.toScene, *stay.ToSceneMs)
		}
		if stay.OnSceneMs != nil {
			s.onScene = append(s.onScene, *stay.OnSceneMs)
		}
	}
	if day, ok := s.position[row.StartAt.Time().In(s.Month.Zone).Format(time.DateOnly)]; ok {
		s.days[day].Incidents++
	}
	s.Incidents = append(s.Incidents, row)
}

// StayOf is an asset's stay, with the time to it from the run that brought it there: the last one before, if it ended with
// the arrival and no other stay lies in it. stays are all of the asset, runs those before the arrival.
func StayOf(stay Presence, name string, runs []Run, stays []Presence) MonthlyStay {
	out := MonthlyStay{ThingID: stay.ThingID, Name: name}
	if stay.EndAt != 0 {
		ms := int64(stay.EndAt - stay.StartAt)
		out.OnSceneMs = &ms
	}
	var way Run
	for _, r := range runs {
		if r.StartAt < stay.StartAt && r.StartAt > way.StartAt {
			way = r
		}
	}
	if way.StartAt == 0 || way.EndAt > stay.StartAt || stay.StartAt.Sub(way.EndAt) > runMaxGap {
		return out
	}
	for _, other := range stays {
		if other.StartAt < stay.StartAt && (other.EndAt == 0 || other.EndAt > way.StartAt) {
			return out
		}
	}
	ms := int64(stay.StartAt - way.StartAt)
	out.ToSceneMs = &ms
	return out
}

// spreadOf returns the distribution of durations, by nearest rank.
func spreadOf(lengths []int64) (out MonthlySpread) {
	n := len(lengths)
	if out.Count = n; n == 0 {
		return out
	}
	slices.Sort(lengths)
	rank := func(percent int) *int64 { return &lengths[max(1, (n*percent+99)/100)-1] }
	out.MedianMs, out.P90Ms, out.LongestMs = rank(50), rank(90), rank(100)
	return out
}

// Figures are the sums; rows are in their order then.
func (s *MonthlySums) Figures() MonthlyFigures {
	s.sort()
	out := MonthlyFigures{Days: s.days, Feeds: s.Feeds}
	if out.Feeds.Consumers == nil {
		out.Feeds.Consumers = []MonthlyConsumer{}
	}
	out.Assets, out.Data = s.assets(), MonthlyData{Refused: s.Refused, DamagedBlocks: s.Damaged}
	out.Driving = MonthlyDriving{Runs: len(s.Runs), RunMs: s.runMs, RunDistanceM: meters(s.runDM), OtherDistance: meters(s.otherDM)}
	for i := range s.Assets {
		a := &s.Assets[i]
		out.Driving.AlertingMs += a.AlertingMs
		out.Driving.AlertPoints += a.AlertPoints
		out.Data.CoveredMs, out.Data.OfMs = out.Data.CoveredMs+a.CoveredMs, out.Data.OfMs+a.OfMs
		out.Data.Points, out.Data.SilentDays = out.Data.Points+a.Points, out.Data.SilentDays+a.SilentDays
	}
	for i, dm := range s.driven {
		out.Days[i].DistanceM = meters(dm)
	}
	out.Incidents = MonthlyIncidents{Total: len(s.Incidents), ToScene: spreadOf(s.toScene), OnScene: spreadOf(s.onScene)}
	out.Closures = s.closures()
	out.Stations.Rows, out.Stations.Total = slices.Clone(s.Stations), len(s.Stations)
	if out.Stations.Rows == nil {
		out.Stations.Rows = []MonthlyStation{}
	}
	for _, row := range s.Stations {
		out.Stations.CoveredMs, out.Stations.OfMs = out.Stations.CoveredMs+row.CoveredMs, out.Stations.OfMs+row.OfMs
	}
	return out
}

func (s *MonthlySums) assets() MonthlyAssets {
	out := MonthlyAssets{Total: len(s.Assets), ByType: []MonthlyType{}}
	byType := map[string]*MonthlyType{}
	for i := range s.Assets {
		a := &s.Assets[i]
		t := byType[a.Type]
		if t == nil {
			t = &MonthlyType{Type: a.Type}
			byType[a.Type] = t
		}
		t.Total++
		if a.InService {
			t.InService++
			out.InService++
		}
	}
	for _, t := range byType {
		out.ByType = append(out.ByType, *t)
	}
	slices.SortFunc(out.ByType, func(x, y MonthlyType) int { return cmp.Or(y.Total-x.Total, strings.Compare(x.Type, y.Type)) })
	return out
}

func (s *MonthlySums) closures() MonthlyClosures {
	out := MonthlyClosures{Total: len(s.Closures), ByImpact: []MonthlyImpact{}}
	byImpact := map[string]*MonthlyImpact{}
	for i := range s.Closures {
		c := &s.Closures[i]
		of := byImpact[c.Impact]
		if of == nil {
			of = &MonthlyImpact{Impact: c.Impact}
			byImpact[c.Impact] = of
		}
		of.Total++
		of.ActiveMs += c.ActiveMs
		out.ActiveMs, out.PublishedMs = out.ActiveMs+c.ActiveMs, out.PublishedMs+c.PublishedMs
		if c.Confirmed {
			out.Confirmed++
		}
		if c.Expired {
			out.Expired++
		}
	}
	for _, of := range byImpact {
		out.ByImpact = append(out.ByImpact, *of)
	}
	slices.SortFunc(out.ByImpact, func(x, y MonthlyImpact) int {
		return cmp.Or(cmp.Compare(y.ActiveMs, x.ActiveMs), strings.Compare(x.Impact, y.Impact))
	})
	return out
}

// sort brings rows into their order: assets and stations as a reader looks for them, all others by their time.
func (s *MonthlySums) sort() {
	byName := func(x, y, xID, yID string) int {
		return cmp.Or(strings.Compare(strings.ToLower(x), strings.ToLower(y)), strings.Compare(xID, yID))
	}
	slices.SortFunc(s.Assets, func(x, y MonthlyAssetRow) int { return byName(x.Name, y.Name, x.ThingID, y.ThingID) })
	slices.SortFunc(s.Incidents, func(x, y MonthlyIncidentRow) int {
		return cmp.Or(cmp.Compare(x.StartAt, y.StartAt), strings.Compare(x.LocationID, y.LocationID))
	})
	slices.SortFunc(s.Runs, func(x, y MonthlyRunRow) int {
		return cmp.Or(cmp.Compare(x.StartAt, y.StartAt), strings.Compare(x.RunID, y.RunID))
	})
	slices.SortFunc(s.Closures, func(x, y MonthlyClosureRow) int {
		return cmp.Or(cmp.Compare(x.StartAt, y.StartAt), strings.Compare(x.ClosureID, y.ClosureID))
	})
	slices.SortFunc(s.Stations, func(x, y MonthlyStation) int {
		share := func(r MonthlyStation) float64 { return float64(r.CoveredMs) / float64(max(r.OfMs, 1)) }
		return cmp.Or(cmp.Compare(share(x), share(y)), byName(x.Name, y.Name, x.AreaID, y.AreaID))
	})
	slices.SortFunc(s.Feeds.Consumers, func(x, y MonthlyConsumer) int {
		return cmp.Or(cmp.Compare(y.Requests, x.Requests), strings.Compare(x.Name, y.Name))
	})
}

// IsEmpty reports whether nothing is known of the month.
func (s *MonthlySums) IsEmpty() bool {
	for i := range s.Assets {
		if s.Assets[i].Points > 0 || s.Assets[i].CoveredMs > 0 || s.Assets[i].Runs > 0 {
			return false
		}
	}
	visits := 0
	for _, row := range s.Stations {
		visits += row.Visits
	}
	return len(s.Incidents)+len(s.Closures)+visits == 0 && s.Feeds.Requests == 0
}

// JoinStretches makes one of stretches that overlap or touch, in order.
func JoinStretches(list []Stretch) (out []Stretch) {
	slices.SortFunc(list, func(x, y Stretch) int { return cmp.Compare(x.Start, y.Start) })
	for _, s := range list {
		if n := len(out); n > 0 && s.Start <= out[n-1].End {
			out[n-1].End = max(out[n-1].End, s.End)
		} else if s.Start < s.End {
			out = append(out, s)
		}
	}
	return out
}

// Within is how many milliseconds of a period lie in others, which are joined.
func Within(others []Stretch, s Stretch) int64 { return overlap(others, s).Milliseconds() }
