package fleet

import (
	"math"

	"lightbar/catalog"
)

var (
	watchLeft    = catalog.Setting("watchdog", "leftMs")
	watchStood   = catalog.Setting("watchdog", "stoodMs")
	watchUponM   = catalog.Setting("watchdog", "uponM")
	watchPassing = catalog.Setting("watchdog", "passingMS")
)

// watchBands is how many bands of latitude there are to a degree: closures are looked for in that of an asset alone.
const watchBands = 50

// SiteMemory is what the watchdog remembers about a closure from one pass to the next. A restart clears it, except for open
// findings.
type SiteMemory struct {
	From    Instant // of which time of the closure it is; 0 = not known yet
	Worked  bool    // an asset was at it for long enough to have worked there
	HeardAt Instant // when an asset last reported from it, without passing by
}

// Site is a closure that somebody drew and that is active, as the watchdog looks at it.
type Site struct {
	Closure *Closure
	From    Instant // since when it is active
	Memory  *SiteMemory

	line   []LatLng
	box    Box
	isHere bool // an asset is upon it, or may be
}

// Sites are the active closures that somebody drew, found by position.
type Sites struct {
	all   []*Site
	bands map[int][]*Site
}

// NewSites selects the active closures among those that people drew; memory returns what is remembered about one.
func NewSites(closures []*Closure, now Instant, memory func(*Closure) *SiteMemory) *Sites {
	s := &Sites{bands: map[int][]*Site{}}
	for _, c := range closures {
		is := c.SpanAt(now)
		line := c.Line()
		if c.Kind != ClosureManual || !is.IsActive || len(line) < 2 {
			continue
		}
		site := &Site{Closure: c, From: is.From, Memory: memory(c), line: line, box: boxAround(line, watchUponM.Float())}
		switch m := site.Memory; {
		case m.From == 0 && m.HeardAt >= is.From:
			m.From = is.From // an open finding is of this time
		case m.From != is.From:
			*m = SiteMemory{From: is.From}
		}
		s.all = append(s.all, site)
		for band := bandOf(site.box.south); band <= bandOf(site.box.north); band++ {
			s.bands[band] = append(s.bands[band], site)
		}
	}
	return s
}

func bandOf(lat float64) int { return int(math.Floor(lat * watchBands)) }

// Look notes which closures an asset is upon; only those of organizations that see it count.
func (s *Sites) Look(w *Watched) {
	is := w.State
	if !is.HasPosition || !w.Thing.InService {
		return
	}
	for _, site := range s.bands[bandOf(is.Lat)] {
		if site.box.holds(is.Lat, is.Lng) && w.Thing.IsSeenBy(site.Closure.OrganizationID) &&
			DistanceFromLineM(is.Lat, is.Lng, site.line) <= watchUponM.Float() {
			site.take(w)
		}
	}
}

// take notes an asset whose last position is at the closure. One that is silent with its lights off may have been switched off
// while its crew works, and a provider that sends nothing is another matter: both may still be here.
func (x *Site) take(w *Watched) {
	is, m := w.State, x.Memory
	if is.HeartbeatAt < x.From || w.isMoving(watchPassing) {
		return // it was here before this closure was, or passes by
	}
	m.HeardAt = max(m.HeardAt, is.HeartbeatAt)
	if !w.IsFresh() {
		x.isHere = x.isHere || !is.Alerting || len(w.Thing.Integrations) > 0
		return
	}
	x.isHere = true
	stood := w.Now.Sub(max(is.SinceAt, x.From))
	m.Worked = m.Worked || is.SinceAt != 0 && w.isPlaced() && stood >= watchStood.Duration()
}

// End returns the closures where no asset is anymore, though there were some. A person's action on one counts as well: confirming
// it, or giving it another end, shows that it is active.
func (s *Sites) End(now Instant, see func(*Closure, Sight)) {
	for _, x := range s.all {
		m := x.Memory
		last := max(m.HeardAt, x.From, x.Closure.VerifiedAt)
		if m.Worked && !x.isHere && now.Sub(last) >= watchLeft.Duration() {
			see(x.Closure, Sight{Rule: RuleClosureLeft, Since: last, About: FindingAbout{Type: AboutClosure, ID: x.Closure.ID}})
		}
	}
}

// Recall is what is remembered about a closure with an open finding.
func Recall(f *Finding) *SiteMemory { return &SiteMemory{Worked: true, HeardAt: f.BeganAt} }
