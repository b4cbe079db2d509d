package merge_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"lightbar/internal/feed/merge"
	"lightbar/internal/feed/read"
	"lightbar/internal/fleet"
)

var noon = fleet.InstantOf(time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC))

// stage is a subscription and what is stored of it, without a store.
type stage struct {
	*testing.T
	s        fleet.FeedSubscription
	closures []*fleet.Closure
	hazards  []*fleet.Hazard
	made     int
}

func newStage(t *testing.T, format string) *stage {
	return &stage{T: t, s: fleet.FeedSubscription{ID: "feed", OrganizationID: "county", Name: "State DOT", Format: format, IsActive: true}}
}

// fetch reads a text as the document of the subscription.
func (g *stage) fetch(now fleet.Instant, text string) *merge.Fetch {
	g.Helper()
	f := merge.Begin(now)
	if err := f.Read(g.Context(), strings.NewReader(text), &g.s, time.UTC); err != nil {
		g.Fatal(err)
	}
	f.Count()
	return f
}

// take plans a fetch, stores what the plan says, and answers it in words.
func (g *stage) take(f *merge.Fetch) string {
	g.Helper()
	p := merge.Compare(&g.s, f, g.closures, g.hazards)
	var said []string
	for _, c := range p.Closures {
		at := slices.IndexFunc(g.closures, func(x *fleet.Closure) bool { return x.ExternalID == c.ExternalID })
		switch {
		case c.ID == "":
			g.made++
			c.ID, c.Version = fmt.Sprint("closure-", g.made), 1
			g.closures = append(g.closures, c)
			said = append(said, c.ExternalID+" new")
		case c.DeletedAt != 0:
			said = append(said, c.ExternalID+" deleted")
			g.closures = slices.Delete(g.closures, at, at+1)
		case c.EndReason != "":
			said = append(said, c.ExternalID+" "+c.EndReason)
		default:
			said = append(said, fmt.Sprintf("%s v%d", c.ExternalID, c.Version))
			g.closures[at] = c
		}
	}
	accepted := 0
	for _, r := range p.Hazards {
		at := slices.IndexFunc(g.hazards, func(h *fleet.Hazard) bool { return h.ExternalID == r.ID })
		if accepted++; at < 0 {
			g.hazards = append(g.hazards, fleet.NewHazard(r.ID, "county", r, g.s.FeedHand(), f.At))
			said = append(said, r.ID+" new")
			continue
		}
		g.hazards[at].Report(r, g.s.FeedHand(), f.At)
		if g.hazards[at].EndedAt == 0 {
			said = append(said, r.ID+" said")
			continue
		}
		said = append(said, r.ID+" over")
		g.hazards = slices.Delete(g.hazards, at, at+1)
	}
	p.Took(accepted, 0)
	p.Note(&g.s)
	slices.Sort(said)
	return strings.Join(said, ", ")
}

// state is what the subscription says after a fetch.
func (g *stage) state() string {
	is := &g.s.State
	return fmt.Sprintf("%s: %d+%d, stand %d+%d, %d missing", is.Fetches[0].Outcome, is.Kept, is.Refused, is.Closures, is.Hazards, is.Missing)
}

func (g *stage) expect(what, did, wantDid, wantState string) {
	g.Helper()
	if did != wantDid || g.state() != wantState {
		g.Errorf("%s: %q, %q; want %q, %q", what, did, g.state(), wantDid, wantState)
	}
}

// zone is a work zone that stands from an hour before noon until the evening, with a change or two.
func zone(id string, changes ...string) string {
	return strings.NewReplacer(changes...).Replace(`{"id":"` + id + `","type":"Feature","properties":{"core_details":{"event_type":"work-zone",` +
		`"road_names":["I-95"],"direction":"eastbound","description":"Paving"},"start_date":"2026-11-21T11:00:00Z","end_date":"2026-11-21T20:00:00Z",` +
		`"vehicle_impact":"some-lanes-closed"},"geometry":{"type":"LineString","coordinates":[[-75.5,39.7],[-75.4,39.7]]}}`)
}

func document(features ...string) string {
	return `{"feed_info":{"publisher":"State DOT","version":"4.2"},"type":"FeatureCollection","features":[` + strings.Join(features, ",") + `]}`
}

func zones(from, to int) (out []string) {
	for n := from; n <= to; n++ {
		out = append(out, zone(fmt.Sprintf("Z%02d", n)))
	}
	return out
}

func numbered(from, to int, did string) string {
	var out []string
	for n := from; n <= to; n++ {
		out = append(out, fmt.Sprintf("Z%02d %s", n, did))
	}
	return strings.Join(out, ", ")
}

// A feed's closure is new once, is changed by what its feed says, is confirmed by the hour, ends when it is missing, and goes.
func TestWhatAFetchDoesToClosures(t *testing.T) {
	g := newStage(t, "wzdx")
	at := func(after time.Duration, features ...string) string {
		return g.take(g.fetch(noon.Add(after), document(features...)))
	}
	g.expect("first", at(0, zone("A"), zone("B"), zone("C")), "A new, B new, C new", "good: 3+0, stand 3+0, 0 missing")
	if a := g.closures[0]; a.Kind != fleet.ClosureOfFeed || a.Source != "State DOT" || a.OrganizationID != "county" || a.VerifiedAt != noon {
		t.Errorf("%+v", a)
	}
	if is := g.s.State; is.LastGoodAt != noon || is.LastChangedAt != noon || is.ReadAt != noon || is.Publisher != "State DOT" {
		t.Errorf("%+v", is)
	}
	g.expect("the same", at(time.Minute, zone("C"), zone("B"), zone("A")), "", "good: 3+0, stand 3+0, 0 missing")
	if is := g.s.State; is.LastGoodAt != noon.Add(time.Minute) || is.LastChangedAt != noon {
		t.Errorf("%+v", is)
	}
	g.expect("changed", at(2*time.Minute, zone("A"), zone("B", "Paving", "Bridge work"), zone("C")), "B v2", "good: 3+0, stand 3+0, 0 missing")
	g.expect("an hour later", at(time.Hour, zone("A"), zone("B", "Paving", "Bridge work"), zone("C")), "A v1, C v1", "good: 3+0, stand 3+0, 0 missing")
	g.expect("missing", at(61*time.Minute, zone("A"), zone("B", "Paving", "Bridge work")), "C gone", "good: 2+0, stand 2+0, 0 missing")
	g.expect("ended long ago", at(3*time.Hour, zone("A"), zone("B", "Paving", "Bridge work")), "A v1, B v2, C deleted", "good: 2+0, stand 2+0, 0 missing")
	g.expect("back", at(3*time.Hour, zone("A"), zone("B", "Paving", "Bridge work"), zone("C")), "C new", "good: 3+0, stand 3+0, 0 missing")
}

// Of the times of an event that have one id, the first that is not over stands, in whatever order they come.
func TestTimesOfOneID(t *testing.T) {
	day := func(n string) string { return zone("A", "2026-11-21T", "2026-11-"+n+"T") }
	for what, c := range map[string]struct {
		features []string
		start    string
		reasons  map[string]int
	}{
		"in order":      {[]string{day("20"), day("21"), day("22"), day("23")}, "2026-11-21T11:00:00.000Z", map[string]int{"over": 1, "id_repeated": 2}},
		"backwards":     {[]string{day("23"), day("22"), day("21"), day("20")}, "2026-11-21T11:00:00.000Z", map[string]int{"id_repeated": 3}},
		"all to come":   {[]string{day("23"), day("22")}, "2026-11-22T11:00:00.000Z", map[string]int{"id_repeated": 1}},
		"twice":         {[]string{day("21"), day("21")}, "2026-11-21T11:00:00.000Z", map[string]int{"id_repeated": 1}},
		"with a detour": {[]string{day("21"), zone("A", "work-zone", "detour")}, "2026-11-21T11:00:00.000Z", map[string]int{"id_repeated": 1}},
		"over twice":    {[]string{day("19"), day("20"), day("22")}, "2026-11-22T11:00:00.000Z", map[string]int{"over": 2}},
	} {
		f := newStage(t, "wzdx").fetch(noon, document(c.features...))
		if len(f.Closures) != 1 || f.Closures[0].StartAt.String() != c.start || !maps.Equal(f.Reasons, c.reasons) || f.Kept+f.Refused != len(c.features) {
			t.Errorf("%s: %+v, %v", what, f.Closures, f.Reasons)
		}
	}
}

// What has another id with each document is what it was; what lies elsewhere, begins at another time, or is only cut off is not.
func TestIDsThatChange(t *testing.T) {
	g := newStage(t, "wzdx")
	at := func(after time.Duration, features ...string) string {
		return g.take(g.fetch(noon.Add(after), document(features...)))
	}
	east := []string{"-75.5,39.7", "-75.3,39.7"}
	g.expect("first", at(0, zone("A1"), zone("A2", east...), zone("A3")), "A1 new, A2 new, A3 new", "good: 3+0, stand 3+0, 0 missing")
	g.expect("other ids", at(time.Minute, zone("B1", east...), zone("B2"), zone("B3")), "", "good: 3+0, stand 3+0, 0 missing")
	east = append(east, "Paving", "Bridge work")
	g.expect("others again, one is another", at(2*time.Minute, zone("C1"), zone("C2", east...), zone("C3")), "A2 gone, C2 new", "good: 3+0, stand 3+0, 0 missing")
	g.expect("one is new", at(3*time.Minute, zone("D1"), zone("D2", east...), zone("D3", "39.7]", "39.8]"), zone("D4")),
		"D3 new", "good: 4+0, stand 4+0, 0 missing")
	g.expect("one begins later", at(4*time.Minute, zone("E1", "T11:00", "T11:30"), zone("E2", east...), zone("E3", "39.7]", "39.8]"), zone("E4")),
		"A3 gone, E1 new", "good: 4+0, stand 4+0, 0 missing")
	text := document(zone("F1"), zone("F2"), zone("F3"))
	g.take(g.fetch(noon.Add(5*time.Minute), text[:len(text)-100]))
	if !slices.ContainsFunc(g.closures, func(c *fleet.Closure) bool { return c.ExternalID == "F1" }) {
		t.Error("half a document has lost nothing")
	}
	g = newStage(t, "csv")
	rows := func(after time.Duration, rows ...string) string {
		return g.take(g.fetch(noon.Add(after), "id,lat,lng,type\n"+strings.Join(rows, "\n")))
	}
	g.expect("hazards", rows(0, "1,39.7,-75.5,debris", "2,39.8,-75.5,debris"), "1 new, 2 new", "good: 2+0, stand 0+2, 0 missing")
	g.expect("of other ids", rows(time.Minute, "3,39.8,-75.5,debris", "4,39.7,-75.5,debris"), "", "good: 2+0, stand 0+2, 0 missing")
	g.expect("of another kind", rows(2*time.Minute, "5,39.8,-75.5,ice", "6,39.7,-75.5,debris"), "2 over, 5 new", "good: 2+0, stand 0+2, 0 missing")
}

// What is no closure is refused with its reason, and a document of nothing else fails.
func TestWhatIsTaken(t *testing.T) {
	over, announced := []string{"T20:00", "T11:30"}, []string{"2026-11-21T", "2026-11-23T"}
	for what, c := range map[string]struct {
		feature        []string
		closures       int
		reason, failed string
	}{
		"stands":    {nil, 1, "", ""},
		"announced": {announced, 1, "", ""},
		"over":      {over, 0, "over", ""},
		"a detour":  {[]string{"work-zone", "detour"}, 0, "not_a_closure", ""},
		"nowhere":   {[]string{"-75.5,39.7", "0,0"}, 0, "no_fix", "all_refused"},
	} {
		f := newStage(t, "wzdx").fetch(noon, document(zone("A", c.feature...)))
		if len(f.Closures) != c.closures || f.Kept != c.closures || f.Problem != c.failed || !f.Usable || f.Whole != (c.failed == "") ||
			c.reason != "" && !maps.Equal(f.Reasons, map[string]int{c.reason: 1}) {
			t.Errorf("%s: %+v", what, f)
		}
	}
	text := document(zones(1, 4)...)
	if f := newStage(t, "wzdx").fetch(noon, text[:len(text)*3/5]); f.Kept != 2 || f.Problem != read.Truncated || f.Whole || !f.Usable {
		t.Errorf("half a document: %+v", f)
	}
}

// Points of a table are hazards: new, said again when half of their life is over, and over when they are missing.
func TestWhatAFetchDoesToHazards(t *testing.T) {
	g := newStage(t, "csv")
	at := func(after time.Duration, ids ...string) string {
		text := "id,lat,lng,type\n"
		for _, id := range ids {
			text += id + ",39.7,-75.5,debris\n"
		}
		return g.take(g.fetch(noon.Add(after), text))
	}
	g.expect("first", at(0, "a", "b", "c"), "a new, b new, c new", "good: 3+0, stand 0+3, 0 missing")
	g.expect("the same", at(10*time.Minute, "a", "b", "c"), "", "good: 3+0, stand 0+3, 0 missing")
	g.expect("half over", at(31*time.Minute, "a", "b", "c"), "a said, b said, c said", "good: 3+0, stand 0+3, 0 missing")
	g.expect("missing", at(32*time.Minute, "a", "b"), "c over", "good: 2+0, stand 0+2, 0 missing")
	g.hazards[0].Clear(fleet.HazardHand{Kind: "user", ID: "viewer"}, noon.Add(33*time.Minute))
	g.expect("cleared", at(34*time.Minute, "a", "b"), "", "good: 2+0, stand 0+2, 0 missing")
}

// A point of GeoJSON is a hazard, in whatever a program wraps it.
func TestPointsOfOtherPrograms(t *testing.T) {
	feature := func(id, geometry string) string {
		return `{"type":"Feature","id":"` + id + `","properties":{"type":"ice","NAME":null},"geometry":` + geometry + `}`
	}
	const point = `{"type":"Point","coordinates":[-75.5,39.7]}`
	f := newStage(t, "geojson").fetch(noon, document(feature("a", point), feature("b", `{"type":"MultiPoint","coordinates":[[-75.5,39.7]]}`),
		feature("c", `{"type":"GeometryCollection","geometries":[`+point+`]}`)))
	if len(f.Hazards) != 3 || f.Refused != 0 || f.Hazards[1].Lat != 39.7 || f.Hazards[2].Kind != "ice" {
		t.Errorf("%+v, %v", f.Hazards, f.Reasons)
	}
}

// For hazards that the organization has no room for, the plan is told; they do not stand.
func TestHazardsWithoutRoom(t *testing.T) {
	g := newStage(t, "csv")
	f := g.fetch(noon, "id,lat,lng,type\na,39.7,-75.5,debris\nb,39.7,-75.5,debris\n")
	p := merge.Compare(&g.s, f, nil, nil)
	p.Took(1, 1)
	if p.Note(&g.s); p.Changed != 1 || g.state() != "good: 1+1, stand 0+1, 0 missing" || g.s.State.Reasons[read.TooMany] != 1 {
		t.Errorf("%d changed, %s, %v", p.Changed, g.state(), g.s.State.Reasons)
	}
}

// Half of a feed that is missing is held for an hour, or until someone accepts it; the fetch itself leaves the subscription as it is.
func TestMuchThatIsMissingIsHeld(t *testing.T) {
	g := newStage(t, "wzdx")
	at := func(after time.Duration, features []string) string {
		return g.take(g.fetch(noon.Add(after), document(features...)))
	}
	g.expect("ten", at(0, zones(1, 10)), numbered(1, 10, "new"), "good: 10+0, stand 10+0, 0 missing")
	g.expect("three", at(time.Minute, zones(1, 3)), "", "held: 3+0, stand 10+0, 7 missing")
	if is := g.s.State; is.Problem != fleet.FeedShrunk || is.LastGoodAt != noon || is.HeldSince != noon.Add(time.Minute) {
		t.Errorf("%+v", is)
	}
	g.expect("for 59 minutes", at(60*time.Minute, zones(1, 3)), numbered(1, 3, "v1"), "held: 3+0, stand 10+0, 7 missing")
	g.expect("for an hour", at(61*time.Minute, zones(1, 3)), numbered(4, 10, "gone"), "good: 3+0, stand 3+0, 0 missing")
	g.expect("none", at(62*time.Minute, nil), "", "held: 0+0, stand 3+0, 3 missing")
	g.s.Accept(noon.Add(63 * time.Minute))
	before := g.s.State
	merge.Compare(&g.s, g.fetch(noon.Add(63*time.Minute), document()), nil, nil)
	if g.s.State.Accepted != before.Accepted || g.s.State.HeldSince != before.HeldSince || before.Accepted != 3 {
		t.Errorf("comparing has changed the subscription: %+v, %+v", before, g.s.State)
	}
	g.expect("accepted", at(63*time.Minute, nil), numbered(1, 3, "gone"), "good: 0+0, stand 0+0, 0 missing")
}

// What is accepted while a fetch is under way counts for the next one, which is made at once.
func TestAcceptedMeanwhile(t *testing.T) {
	g := newStage(t, "wzdx")
	g.take(g.fetch(noon, document(zones(1, 3)...)))
	g.take(g.fetch(noon.Add(time.Minute), document()))
	next := noon.Add(2 * time.Minute)
	p := merge.Compare(&g.s, g.fetch(next, document()), g.closures, nil)
	g.s.Accept(next)
	if p.Note(&g.s); g.s.State.Accepted != 3 || g.s.NextFetchAt != next || g.state() != "held: 0+0, stand 3+0, 3 missing" {
		t.Errorf("accepted %d, next %v, %s", g.s.State.Accepted, g.s.NextFetchAt.Sub(noon), g.state())
	}
	g.expect("accepted", g.take(g.fetch(next, document())), numbered(1, 3, "gone"), "good: 0+0, stand 0+0, 0 missing")
}

// A document that was not read as a whole, or not at all, ends nothing.
func TestNothingEndsWithoutAWholeDocument(t *testing.T) {
	failed := merge.Begin(noon.Add(time.Minute))
	failed.Fail(read.HTML)
	failed.Code, failed.RetryAfter = 503, 10*time.Minute
	for what, c := range map[string]struct {
		fetch func(g *stage) *merge.Fetch
		state string
	}{
		"failed": {func(*stage) *merge.Fetch { return failed }, "html: 10+0, stand 10+0, 0 missing"},
		"unchanged": {func(g *stage) *merge.Fetch {
			f := g.fetch(noon.Add(time.Minute), document(zones(1, 9)...))
			f.Unchanged = true // its text is that of the last one: nothing of it is compared
			return f
		}, "unchanged: 10+0, stand 10+0, 0 missing"},
		"cut": {func(g *stage) *merge.Fetch {
			f := g.fetch(noon.Add(time.Minute), document(zones(1, 9)...))
			f.Cut()
			return f
		}, "truncated: 9+0, stand 10+0, 0 missing"},
		"all refused": {func(g *stage) *merge.Fetch {
			return g.fetch(noon.Add(time.Minute), document(zone("Z01", "-75.5,39.7", "0,0")))
		}, "all_refused: 0+1, stand 10+0, 0 missing"},
	} {
		g := newStage(t, "wzdx")
		g.take(g.fetch(noon, document(zones(1, 10)...)))
		g.expect(what, g.take(c.fetch(g)), "", c.state)
		if is := g.s.State; (is.Failures == 0) != (what == "unchanged") || (is.LastGoodAt == noon) == (what == "unchanged") {
			t.Errorf("%s: %+v", what, is)
		}
		if what == "failed" && (g.s.NextFetchAt != noon.Add(11*time.Minute) || g.s.State.Code != 503) {
			t.Errorf("%s: next after %v, %d", what, g.s.NextFetchAt.Sub(noon), g.s.State.Code)
		}
	}
}

// A feed has so many closures and no more: those that are stored take the room of new ones, and nothing is missing in such a document.
func TestMoreClosuresThanOneFeedCanHave(t *testing.T) {
	g := newStage(t, "wzdx")
	g.take(g.fetch(noon, document(zone("old"))))
	f := merge.Begin(noon.Add(time.Minute))
	f.Usable, f.Whole = true, true
	for n := range merge.MostClosures {
		f.Closures = append(f.Closures, &fleet.Closure{ExternalID: fmt.Sprint("Z", n), StartAt: noon, EndAt: noon.Add(time.Hour)})
	}
	f.Count()
	p := merge.Compare(&g.s, f, g.closures, nil)
	if p.Note(&g.s); len(p.Closures) != merge.MostClosures-1 || g.s.State.Kept != merge.MostClosures-1 || g.s.State.Reasons[read.TooMany] != 1 || !p.Held {
		t.Errorf("%d planned, %s, %v", len(p.Closures), g.state(), g.s.State.Reasons)
	}
	text := make([]string, merge.MostClosures+1)
	for n := range text {
		text[n] = zone(fmt.Sprint("Z", n))
	}
	if f := g.fetch(noon, document(text...)); f.Kept != merge.MostClosures || f.Reasons[read.TooMany] != 1 || f.Whole {
		t.Errorf("%d kept, %v, whole %v", f.Kept, f.Reasons, f.Whole)
	}
}
