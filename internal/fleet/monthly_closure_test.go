package fleet_test

import (
	"slices"
	"testing"
	"time"

	"lightbar/internal/fleet"
)

// A board is on from its word until the next, and no longer than 8 hours without a sign of its asset, which begins it again.
func TestABoardIsOn(t *testing.T) {
	at := func(hours float64) fleet.Instant {
		return 1_700_000_000_000 + fleet.Instant(hours*float64(time.Hour.Milliseconds()))
	}
	said := func(hours float64, on bool) fleet.OnOffReport { return fleet.OnOffReport{At: at(hours), On: on} }
	for name, x := range map[string]struct {
		words []fleet.OnOffReport
		heard []fleet.Instant
		want  []fleet.Stretch
	}{
		"on and off":             {[]fleet.OnOffReport{said(1, true), said(3, false)}, nil, []fleet.Stretch{{Start: at(1), End: at(3)}}},
		"said again":             {[]fleet.OnOffReport{said(1, true), said(2, true), said(3, false), said(4, false)}, nil, []fleet.Stretch{{Start: at(1), End: at(3)}}},
		"nothing more is heard":  {[]fleet.OnOffReport{said(1, true)}, []fleet.Instant{at(2)}, []fleet.Stretch{{Start: at(1), End: at(10)}}},
		"it lasts":               {[]fleet.OnOffReport{said(95, true)}, nil, []fleet.Stretch{{Start: at(95), End: at(100)}}},
		"silent, and back again": {[]fleet.OnOffReport{said(1, true), said(40, false)}, []fleet.Instant{at(2), at(30), at(37)}, []fleet.Stretch{{Start: at(1), End: at(10)}, {Start: at(30), End: at(40)}}},
		"off while it is silent": {[]fleet.OnOffReport{said(1, true), said(20, false)}, []fleet.Instant{at(2)}, []fleet.Stretch{{Start: at(1), End: at(10)}}},
		"never":                  {nil, []fleet.Instant{at(2)}, nil},
	} {
		got := fleet.BoardStretches(x.words, x.heard, at(100))
		got = slices.DeleteFunc(got, func(s fleet.Stretch) bool { return s.Start >= s.End })
		if !slices.Equal(got, x.want) {
			t.Errorf("%s: %v instead of %v", name, got, x.want)
		}
	}
}

// Each version says when it stood in its own time; one that the clock ended has expired, one of a pattern has not.
func TestVersionsSayWhenAClosureStood(t *testing.T) {
	month := fleet.MonthIn(2026, 11, time.UTC)
	day := func(n float64) fleet.Instant {
		return month.Start + fleet.Instant((n-1)*24*float64(time.Hour.Milliseconds()))
	}
	version := func(from, to, start, end float64) fleet.ClosureVersion {
		return fleet.ClosureVersion{Stretch: fleet.Stretch{Start: day(from), End: day(to)},
			Closure: fleet.Closure{ID: "c", Kind: fleet.ClosureManual, StartAt: day(start), EndAt: day(end)}, IsPublished: true}
	}
	days := func(ms int64) float64 { return float64(ms) / float64(24*time.Hour.Milliseconds()) }
	for name, x := range map[string]struct {
		versions            []fleet.ClosureVersion
		active              float64
		expired, stood, now bool
	}{
		"whole month":           {[]fleet.ClosureVersion{version(-9, 99, -5, 60)}, 30, false, true, true},
		"into the month":        {[]fleet.ClosureVersion{version(-9, 99, -5, 3)}, 2, true, true, false},
		"ends with the month":   {[]fleet.ClosureVersion{version(-9, 99, 3, 31)}, 28, false, true, true},
		"extended":              {[]fleet.ClosureVersion{version(-9, 4, 2, 5), version(4, 99, 2, 10)}, 8, true, true, false},
		"ended by hand":         {[]fleet.ClosureVersion{version(-9, 4, 2, 5), version(4, 99, 0, 0)}, 2, false, true, false},
		"planned and given up":  {[]fleet.ClosureVersion{version(-9, 4, 5, 9)}, 0, false, false, false},
		"after the month":       {[]fleet.ClosureVersion{version(-9, 99, 31, 40)}, 0, false, false, false},
		"twice":                 {[]fleet.ClosureVersion{version(-9, 6, 2, 5), version(6, 99, 7, 9)}, 5, true, true, false},
		"deleted while it was":  {[]fleet.ClosureVersion{version(-9, 4, 2, 60)}, 2, false, true, false},
		"versions of other day": {[]fleet.ClosureVersion{version(40, 99, 2, 60)}, 0, false, false, false},
	} {
		row, stood := fleet.MonthlyClosureOf(month.Stretch, x.versions, nil, []fleet.Instant{month.End})
		if name == "ended by hand" {
			x.versions[1].Closure.StartAt, x.versions[1].Closure.EndAt = 0, 0
			row, stood = fleet.MonthlyClosureOf(month.Stretch, x.versions, nil, []fleet.Instant{month.End})
		}
		if stood != x.stood || days(row.ActiveMs) != x.active || row.PublishedMs != row.ActiveMs || row.Expired != x.expired || row.Confirmed ||
			stood && (row.EndAt == 0) != x.now {
			t.Errorf("%s: %+v, %v days", name, row, days(row.ActiveMs))
		}
	}
	cut := version(-9, 99, 2, 9)
	cut.Closure.AskedAt = day(5)
	row, _ := fleet.MonthlyClosureOf(month.Stretch, []fleet.ClosureVersion{cut}, nil, []fleet.Instant{month.Start})
	if !row.Expired || !row.Confirmed || days(row.ActiveMs) >= 4 || days(row.ActiveMs) <= 3 {
		t.Errorf("nobody answered: %+v, %v days", row, days(row.ActiveMs))
	}
}
