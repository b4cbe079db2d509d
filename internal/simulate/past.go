package simulate

import (
	"cmp"
	"context"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"time"
)

// Past is what the demo's fleet did before it began to report: day by day, the
// same for the same seed. A day begins at 9:00 UTC, before dawn in the demo's
// city, and ends 24 hours later with every crew at rest at home, its lights
// off; so each day stands for itself. The last one may be shorter.
type Past struct {
	Works []Work

	cast   []Member
	roads  Roads
	seed   uint64
	days   []span
	ends   []time.Time // beside cast: when it reported last
	scenes []LatLng    // where calls come from
	beats  []LatLng    // where patrols drive
	rounds [][]LatLng  // beside cast: where a collection stops
	ways   ways
}

type span struct{ from, to time.Time }

// Work is a work zone of the past: crews worked there on the weekdays of its time.
type Work struct {
	From, To time.Time
	Site     LatLng
	Line     []LatLng // along the street, from the site on
	Road     string   // empty where no streets are known
}

// PastReport is what an asset said at an instant of the past.
type PastReport struct {
	Asset     int // index into the cast
	At        time.Time
	Delay     time.Duration // until the server would have had it
	Place     LatLng
	SpeedMS   float64
	CourseDeg float64 // below 0: not said, as it stands
	AccuracyM float64
	Lights    bool
	// Board is what an arrow board says beside its position, which says nothing of lights.
	Board, BoardOn bool
	Pattern        string
}

const (
	dawn     = 9 * time.Hour // UTC
	dayOfWay = 24 * time.Hour
	worksM   = 300 // how long a work zone is
)

// NewPast plans so many days of the cast that end before until; began is when
// the demo does: assets that have been silent since before reported until then.
func NewPast(cast []Member, roads Roads, seed uint64, days int, until, began time.Time) *Past {
	p := &Past{cast: cast, roads: roads, seed: seed, days: daysUntil(until, days)}
	if len(p.days) == 0 {
		return p
	}
	rng := rand.New(rand.NewPCG(seed, 3))
	for range 120 {
		p.scenes = append(p.scenes, roads.Place(rng, Wilmington, 2200))
	}
	for range 40 {
		p.beats = append(p.beats, roads.Place(rng, Wilmington, 2800))
	}
	for _, m := range cast {
		end := until
		if m.Vehicle.LastSeen > 0 {
			end = earlier(until, began.Add(-m.Vehicle.LastSeen).Truncate(time.Second))
		}
		p.ends = append(p.ends, end)
		var round []LatLng
		for at := m.Vehicle.Home; m.Vehicle.Role == Collection && len(round) < 50; round = append(round, at) {
			if at = roads.Place(rng, at, 350); distance(at, m.Vehicle.Home) > 3000 {
				at = m.Vehicle.Home
			}
		}
		p.rounds = append(p.rounds, round)
	}
	p.Works = p.planWorks(rng)
	return p
}

// daysUntil are so many days, of which the last one ends at until.
func daysUntil(until time.Time, n int) (days []span) {
	last := until.UTC().Truncate(dayOfWay).Add(dawn)
	if !last.Before(until) {
		last = last.Add(-dayOfWay)
	}
	for i := n - 1; i >= 0; i-- {
		from := last.Add(-time.Duration(i) * dayOfWay)
		days = append(days, span{from, earlier(from.Add(dayOfWay), until)})
	}
	return days
}

func earlier(a, b time.Time) time.Time {
	if b.Before(a) {
		return b
	}
	return a
}

// planWorks are two work zones a week, from Monday or Tuesday on, each for some days.
func (p *Past) planWorks(rng *rand.Rand) (works []Work) {
	until := p.days[len(p.days)-1].to
	for _, d := range p.days {
		if on := d.from.Weekday(); on != time.Monday && on != time.Tuesday {
			continue
		}
		w := Work{From: d.from.Add(150 * time.Minute), Site: p.roads.Place(rng, Wilmington, 2000)}
		w.To = w.From.Add(time.Duration(1+rng.IntN(3))*dayOfWay + 8*time.Hour)
		if w.Line = p.roads.Ahead(w.Site, worksM); w.Line == nil {
			w.Line = []LatLng{w.Site, offset(w.Site, worksM, 0)}
		}
		if p.roads.Index != nil {
			if street, ok := p.roads.Index.Nearest(w.Site.Lat, w.Site.Lng, -1); ok {
				w.Road = street.Name
			}
		}
		if w.To.Before(until) {
			works = append(works, w)
		}
	}
	return works
}

// Days tells how many there are.
func (p *Past) Days() int { return len(p.days) }

// Span is when a day begins and ends, from 0.
func (p *Past) Span(day int) (from, to time.Time) { return p.days[day].from, p.days[day].to }

// Ends is when an asset of the cast reported last.
func (p *Past) Ends(asset int) time.Time { return p.ends[asset] }

// Day is all that was said on a day, in the order of time.
func (p *Past) Day(ctx context.Context, day int) []PastReport {
	at := p.days[day]
	d := &pastDay{Past: p, ctx: ctx, span: at, rng: rand.New(rand.NewPCG(p.seed, uint64(at.from.Unix())))}
	for i, m := range p.cast {
		d.crews = append(d.crews, newCrew(d, i, m))
	}
	d.answerCalls()
	var out []PastReport
	for _, c := range d.crews {
		c.spend()
		out = append(out, c.said...)
	}
	slices.SortFunc(out, func(a, b PastReport) int { return cmp.Or(a.At.Compare(b.At), cmp.Compare(a.Asset, b.Asset)) })
	return out
}

// Each hands over the days from one on, in order, made on all processors; an error ends it.
func (p *Past) Each(ctx context.Context, from int, take func(day int, said []PastReport) error) error {
	ctx, stop := context.WithCancel(ctx)
	var all sync.WaitGroup
	defer all.Wait()
	defer stop()
	workers := max(1, runtime.GOMAXPROCS(0))
	made := make([]chan []PastReport, workers)
	for w := range made {
		made[w] = make(chan []PastReport, 1)
		all.Go(func() {
			for day := from + w; day < len(p.days) && ctx.Err() == nil; day += workers {
				select {
				case made[w] <- p.Day(ctx, day):
				case <-ctx.Done():
				}
			}
		})
	}
	for day := from; day < len(p.days); day++ {
		select {
		case said := <-made[(day-from)%workers]:
			if ctx.Err() != nil { // a day that was cut off is not whole
				return ctx.Err()
			}
			if err := take(day, said); err != nil {
				return err
			}
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}

// ways remembers how to drive from place to place: most days go the same ways.
type ways struct {
	mu    sync.Mutex
	known map[[2]LatLng]Path
}

func (p *Past) way(ctx context.Context, a, b LatLng) Path {
	key := [2]LatLng{a, b}
	p.ways.mu.Lock()
	path, ok := p.ways.known[key]
	p.ways.mu.Unlock()
	if ok {
		return path
	}
	path = p.roads.Route(ctx, a, b)
	if ctx.Err() != nil {
		return path // perhaps no way was found because there was no time
	}
	p.ways.mu.Lock()
	defer p.ways.mu.Unlock()
	if p.ways.known == nil {
		p.ways.known = map[[2]LatLng]Path{}
	}
	p.ways.known[key] = path
	return path
}
