package fleet

import (
	"math"
	"slices"
	"time"
)

// MonthlyDrive is what one asset did in the part of a month in which it was an organization's.
type MonthlyDrive struct {
	Runs        []MonthlyRun // that started in the part
	OtherDM     int64        // driven outside of runs, decimeters
	AlertingMs  int64
	AlertPoints int64
	Points      int64
	CoveredMs   int64
	OfMs        int64
	SilentDays  int
	Days        []MonthlyDriveDay
}

// MonthlyRun is a run that started in a month, with all of its distance.
type MonthlyRun struct {
	Run
	DM         int64 // decimeters
	AlertingMs int64
}

// MonthlyDriveDay is a day of a MonthlyDrive.
type MonthlyDriveDay struct {
	Runs       int
	DM         int64 // decimeters: of the runs that started, and outside of runs
	AlertingMs int64
}

// MonthlyWalk follows one asset through its part of a month, a few reports at a time, so that a month is never held in memory. It
// computes distances as TripsOf does for the whole.
type MonthlyWalk struct {
	part, of Stretch
	days     []Stretch
	runs     []Run // that touch the part
	run      int   // the first run that may hold the next leg
	meters   []float64
	lit      []int64 // of runs
	free     []Stretch
	at       int // the first of free that may hold the next leg

	on     bool
	last   Instant // the newest report
	legLit int64   // lights on since the last point
	open   walk    // since the place where it was last stopped or moved
	lits   []int64 // of open.legs

	isMoving bool
	movedTo  Instant
	moved    []float64 // of the movement, by day
	heard    []bool    // by day
	out      MonthlyDrive
}

// NewMonthlyWalk begins a walk: part is what of the month the asset was the organization's, of what of the part there was
// an asset to hear of, days those of the month, runs those that touch the part, oldest first; before: when the asset was heard
// last before the part, 0 = not shortly before, and alerting as last reported.
func NewMonthlyWalk(part, of Stretch, days []Stretch, runs []Run, before OnOffReport) *MonthlyWalk {
	w := &MonthlyWalk{part: part, of: of, days: days, runs: runs, on: before.On, last: before.At}
	w.meters, w.lit = make([]float64, len(runs)), make([]int64, len(runs))
	w.free = besides(part, runs)
	w.moved, w.heard = make([]float64, len(days)), make([]bool, len(days))
	w.out.Days = make([]MonthlyDriveDay, len(days))
	return w
}

// MonthlySilence is the longest silence during which an asset counts as reporting.
func MonthlySilence() time.Duration { return staleAfter }

// Ends is until when reports are needed: a run that started in the part is walked to its end. Reports shortly after the part show
// whether the asset was silent at its end.
func (w *MonthlyWalk) Ends() Instant {
	end := w.part.End
	for _, r := range w.runs {
		if w.begins(r) {
			end = max(end, r.EndAt+1)
		}
	}
	return end
}

func (w *MonthlyWalk) begins(r Run) bool { return r.StartAt >= w.part.Start && r.StartAt < w.part.End }

// Take walks on through reports, all of them later than those before: sorted by effective instants.
func (w *MonthlyWalk) Take(points []Point, said []OnOffReport, heard []Instant) {
	h, i := TripHistory{Points: points, Signals: said, Heartbeats: heard}, 0
	h.reports(func(at Instant, isSaid, says bool) {
		w.pass(at)
		if day := w.dayOf(at); day >= 0 && at >= w.part.Start && at < w.part.End {
			w.heard[day] = true
		}
		w.last = at
		if isSaid {
			w.on = says
		}
		for ; i < len(points) && points[i].EffectiveAt() <= at; i++ {
			w.point(&points[i], at)
		}
	})
}

// pass lets the time until the next report pass.
func (w *MonthlyWalk) pass(to Instant) {
	quiet := to.Sub(w.last)
	if w.on && quiet <= runMaxGap {
		w.legLit += int64(to - w.last)
		w.shine(Stretch{max(w.last, w.part.Start), min(to, w.part.End)})
	}
	if quiet <= staleAfter {
		w.out.CoveredMs += max(0, int64(min(to, w.of.End)-max(w.last, w.of.Start)))
	}
}

// shine notes that the lights were on.
func (w *MonthlyWalk) shine(s Stretch) {
	for s.Start < s.End {
		day := w.dayOf(s.Start)
		if day < 0 {
			return
		}
		end := min(s.End, w.days[day].End)
		w.out.Days[day].AlertingMs += int64(end - s.Start)
		w.out.AlertingMs += int64(end - s.Start)
		s.Start = end
	}
}

// dayOf is the day of the month that an instant lies in, -1 = none.
func (w *MonthlyWalk) dayOf(at Instant) int {
	i, _ := slices.BinarySearchFunc(w.days, at, func(d Stretch, at Instant) int {
		switch {
		case d.End <= at:
			return -1
		case d.Start > at:
			return 1
		}
		return 0
	})
	if i < len(w.days) && at >= w.days[i].Start {
		return i
	}
	return -1
}

func (w *MonthlyWalk) point(p *Point, at Instant) {
	if at >= w.part.Start && at < w.part.End {
		w.out.Points++
		if p.HasAlerting && p.Alerting || !p.HasAlerting && w.on {
			w.out.AlertPoints++
		}
	}
	w.open.points, w.open.legs, w.lits = append(w.open.points, *p), append(w.open.legs, leg{}), append(w.lits, w.legLit)
	w.legLit = 0
	i := len(w.open.points) - 1
	if i == 0 {
		return
	}
	if anchor := w.open.step(0, i); anchor == i {
		w.settle()
	}
}

// settle takes in the legs that nothing later changes.
func (w *MonthlyWalk) settle() {
	n := len(w.open.points)
	for i := 1; i < n; i++ {
		w.leg(w.open.points[i-1].EffectiveAt(), w.open.points[i].EffectiveAt(), w.open.legs[i], w.lits[i])
	}
	if n > 0 {
		w.open.points[0] = w.open.points[n-1]
		w.open.points, w.open.legs, w.lits = w.open.points[:1], w.open.legs[:1], w.lits[:1]
		w.open.legs[0], w.lits[0] = leg{}, 0
	}
}

func (w *MonthlyWalk) leg(from, to Instant, l leg, lit int64) {
	for w.run < len(w.runs) && w.runs[w.run].EndAt < to {
		w.run++
	}
	if w.run < len(w.runs) && from >= w.runs[w.run].StartAt {
		w.meters[w.run] += l.meters
		if !l.gap {
			w.lit[w.run] += lit
		}
	}
	for w.at < len(w.free) && to >= w.free[w.at].End {
		w.rest()
		w.at++
	}
	if w.at == len(w.free) || from < w.free[w.at].Start {
		return
	}
	if w.isMoving && to.Sub(w.movedTo) > tripRest {
		w.rest()
	}
	if l.moving {
		w.isMoving, w.movedTo = true, to
		if day := w.dayOf(to); day >= 0 {
			w.moved[day] += l.meters
		}
	}
}

// rest ends a movement outside of runs; one of less than 100 m is none.
func (w *MonthlyWalk) rest() {
	if !w.isMoving {
		return
	}
	w.isMoving = false
	meters := 0.0
	for _, m := range w.moved {
		meters += m
	}
	for day, m := range w.moved {
		if meters >= tripLeastM {
			dm := decimeters(m)
			w.out.Days[day].DM += dm
			w.out.OtherDM += dm
		}
		w.moved[day] = 0
	}
}

// decimeters are whole ones: their sums do not depend on the order of addition.
func decimeters(m float64) int64 { return int64(math.Round(m * 10)) }

// Finish ends the walk.
func (w *MonthlyWalk) Finish() MonthlyDrive {
	w.settle()
	w.rest()
	for i, r := range w.runs {
		if !w.begins(r) {
			continue
		}
		run := MonthlyRun{r, decimeters(w.meters[i]), w.lit[i]}
		w.out.Runs = append(w.out.Runs, run)
		if day := w.dayOf(r.StartAt); day >= 0 {
			w.out.Days[day].Runs++
			w.out.Days[day].DM += run.DM
		}
	}
	w.out.OfMs = max(0, int64(w.of.End-w.of.Start))
	for i, day := range w.days {
		if day.Start >= w.of.Start && day.End <= w.of.End && !w.heard[i] {
			w.out.SilentDays++
		}
	}
	return w.out
}
