package demo

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"lightbar/internal/access"
	"lightbar/internal/app"
	"lightbar/internal/bus"
	"lightbar/internal/fleet"
	"lightbar/internal/geo/route"
	"lightbar/internal/live"
	"lightbar/internal/record"
	"lightbar/internal/simulate"
	"lightbar/internal/store"
	"lightbar/internal/store/points"
	"lightbar/internal/store/storetest"
)

var quietLog = slog.New(slog.NewTextHandler(io.Discard, nil))

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// serverOn is what a server has of the demo, over a database.
func serverOn(t *testing.T, s *store.Store, roads *route.Roads, now func() time.Time) *app.App {
	t.Helper()
	o := live.Options{Now: now, NewID: app.NewID, Log: quietLog}
	if roads != nil {
		o.Street = func(lat, lng, heading float64) string {
			street, _ := roads.Nearest(lat, lng, known(heading))
			return street.Label()
		}
		o.Roadway = func(lat, lng, heading float64) (float64, bool) { return roads.Roadway(lat, lng, known(heading)) }
	}
	picture := live.New(s, o)
	check(t, picture.Load(t.Context()))
	b, err := bus.Open(bus.Options{Log: quietLog})
	check(t, err)
	a := app.New(app.Options{
		Base:      record.Base{Store: s, Live: picture, Bus: b, Log: quietLog, Now: now, NewID: app.NewID, ServerKey: make([]byte, 32)},
		PublicURL: "http://localhost:8080", ExportFolder: t.TempDir(),
	})
	t.Cleanup(func() {
		check(t, a.StopIngest(context.Background()))
		check(t, b.Close(context.Background()))
	})
	return a
}

func known(heading float64) float64 {
	if heading < 0 {
		return math.NaN()
	}
	return heading
}

// past is a demo with a history that is planned, and not made yet.
type past struct {
	*app.App
	cast  []Member
	roads *route.Roads
	at    progress
	file  File
}

// workday is the end of the last Friday: five days before it hold a shift of every asset, as those over a long weekend do not.
func workday() time.Time {
	day := time.Now().UTC().Truncate(24 * time.Hour)
	return day.AddDate(0, 0, -(int(day.Weekday())+1)%7-1).Add(20 * time.Hour)
}

func planned(t *testing.T, roads *route.Roads, days int) past {
	t.Helper()
	clock, s := NewClock(workday(), days), storetest.SQLite(t)
	p := past{App: serverOn(t, s, roads, clock.Now), cast: Cast(roads), roads: roads}
	var err error
	p.file, err = Seed(t.Context(), p.App, clock, t.TempDir(), "http://localhost:8080", "", roads, p.cast)
	check(t, err)
	p.at, err = readProgress(t.Context(), s.Reader())
	check(t, err)
	return p
}

func (p *past) keep(ctx context.Context) error {
	return KeepPast(ctx, p.App, p.roads, p.cast, quietLog)
}

// pointsOf reads all points of the cast before an instant, asset by asset.
func (p *past) pointsOf(t *testing.T, before fleet.Instant) (out [][]fleet.Point) {
	t.Helper()
	things, err := thingsOf(t.Context(), p.Store.Reader(), p.cast)
	check(t, err)
	for _, thing := range things {
		found, damaged, err := points.OfThing(t.Context(), p.Store.Reader(), thing.No, before.Add(-500*24*time.Hour), before-1)
		if err != nil || len(damaged) > 0 {
			t.Fatal(damaged, err)
		}
		out = append(out, found)
	}
	return out
}

// made is what the laws made of reports, without ids, in an order that says nothing.
func made(t *testing.T, s *store.Store, things []*fleet.Thing, from, to fleet.Instant) (runs, incidents, visits []string) {
	t.Helper()
	names := map[string]string{}
	owners := map[string]bool{}
	for _, thing := range things {
		names[thing.ID], owners[thing.OrganizationID] = thing.SystemName, true
		found, err := store.RunsBetween(t.Context(), s.Reader(), thing.No, from, to)
		check(t, err)
		for _, r := range found {
			runs = append(runs, fmt.Sprint(thing.SystemName, r.StartAt, r.EndAt, r.Points, r.OrganizationID == thing.OrganizationID))
		}
	}
	for owner := range owners {
		found, err := store.LocationsOfOrganization(t.Context(), s.Reader(), owner, from, to)
		check(t, err)
		for _, l := range found {
			text := fmt.Sprint(l.IsActive, l.Lat, l.Lng, l.OriginLat, l.Street, l.RoadwayHeading, l.HasHeading, l.StartAt, l.EndAt)
			slices.SortFunc(l.Presences, func(a, b fleet.Presence) int {
				return cmp.Or(int(a.StartAt-b.StartAt), strings.Compare(names[a.ThingID], names[b.ThingID]))
			})
			for _, p := range l.Presences {
				text += fmt.Sprint(" ", names[p.ThingID], p.StartAt, p.EndAt)
			}
			incidents = append(incidents, text)
		}
	}
	areas, err := store.ListAreas(t.Context(), s.Reader())
	check(t, err)
	for _, a := range areas {
		found, _, err := store.VisitsOf(t.Context(), s.Reader(), a.ID, a.OrganizationID, from, 1, 100_000)
		check(t, err)
		for _, v := range found {
			if v.LeftAt != 0 && v.LeftAt < to {
				visits = append(visits, fmt.Sprint(a.Name, names[v.ThingID], v.ThingTypeID, v.ArrivedAt, v.LeftAt, v.CountedTo))
			}
		}
	}
	slices.Sort(runs)
	slices.Sort(incidents)
	slices.Sort(visits)
	return runs, incidents, visits
}

// The history is what ingest would have made of the same reports, had they come then: the same points, runs, incidents
// with stays and streets, and visits at stations.
func TestPastIsAsIngestMakesIt(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED in the short run: a day of the fleet goes through ingest")
	}
	roads := city(t)
	kept := planned(t, roads, 3)
	check(t, kept.keep(t.Context()))
	var at atomic.Int64
	clock := NewClock(time.Now(), 0) // its fleet has said nothing yet
	sent := past{App: serverOn(t, storetest.SQLite(t), roads, func() time.Time {
		if ms := at.Load(); ms != 0 {
			return time.UnixMilli(ms)
		}
		return clock.Now()
	}), cast: kept.cast}
	_, err := Seed(t.Context(), sent.App, clock, t.TempDir(), "http://localhost:8080", "", nil, sent.cast)
	check(t, err)
	things, err := thingsOf(t.Context(), sent.Store.Reader(), sent.cast)
	check(t, err)
	plan := kept.at.plan(roads, kept.cast)
	from, to := plan.Span(0)
	deliver(t, &sent, things, plan.Day(t.Context(), 0), &at)
	begin, end := fleet.InstantOf(from), fleet.InstantOf(to)
	theirs, err := thingsOf(t.Context(), kept.Store.Reader(), kept.cast)
	check(t, err)
	runs, incidents, visits := made(t, kept.Store, theirs, begin, end)
	wantRuns, wantIncidents, wantVisits := made(t, sent.Store, things, begin, end)
	for what, both := range map[string][2][]string{"runs": {runs, wantRuns}, "incidents": {incidents, wantIncidents}, "visits": {visits, wantVisits}} {
		if len(both[1]) < 20 {
			t.Errorf("only %d %s", len(both[1]), what)
		}
		if !slices.Equal(both[0], both[1]) {
			t.Errorf("%s differ: %d kept, %d of ingest\n%s", what, len(both[0]), len(both[1]), firstDifference(both[0], both[1]))
		}
	}
	mine := kept.pointsOf(t, end)
	for i, want := range sent.pointsOf(t, end) {
		for j := range want {
			want[j].ReceivedAt = 0
		}
		mine[i] = slices.DeleteFunc(mine[i], func(p fleet.Point) bool { return p.At == fleet.InstantOf(plan.Ends(i)) }) // the last word came over the wire
		for j := range mine[i] {
			mine[i][j].ReceivedAt, mine[i][j].ThingNo = 0, things[i].No
		}
		if !slices.Equal(mine[i], want) {
			t.Errorf("points of %s differ: %d kept, %d of ingest", things[i].SystemName, len(mine[i]), len(want))
		}
	}
}

func firstDifference(a, b []string) string {
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return a[i] + "\n" + b[i]
		}
	}
	return "one is longer"
}

// deliver sends reports in their time, ten seconds' at once.
func deliver(t *testing.T, to *past, things []*fleet.Thing, said []simulate.PastReport, at *atomic.Int64) {
	t.Helper()
	for len(said) > 0 {
		until := said[0].At.Add(10 * time.Second)
		n := slices.IndexFunc(said, func(r simulate.PastReport) bool { return r.At.After(until) })
		if n < 0 {
			n = len(said)
		}
		batches := map[string]app.ReportBatch{}
		for i := range said[:n] {
			r := &said[i]
			thing := things[r.Asset]
			b := batches[thing.OrganizationID]
			b.Reports = append(b.Reports, reportOf(thing, r))
			batches[thing.OrganizationID] = b
		}
		at.Store(said[n-1].At.UnixMilli() + 500)
		for owner, batch := range batches {
			device := &access.Actor{KeyID: "key", KeyScopes: access.AllScopes(), OrganizationID: owner, Organizations: map[string]access.Reach{owner: access.Full}}
			if answer, err := to.RecordPoints(t.Context(), device, batch); err != nil || len(answer.Refused) > 0 {
				t.Fatal(answer, err)
			}
		}
		check(t, to.AgeDue(t.Context()))
		said = said[n:]
	}
	at.Add(10 * 60_000)
	check(t, to.AgeDue(t.Context()))
	check(t, to.Live.Flush(t.Context()))
}

// A history that was cut off goes on where it was: no day is twice, none is missing.
func TestPastGoesOn(t *testing.T) {
	p := planned(t, nil, 5)
	cuts := 0
	for at := p.at; at.Kept < 3; cuts++ {
		ctx, cut := context.WithCancel(t.Context())
		ids := 0
		p.NewID = func() string { // asked for in the middle of a day
			if ids++; ids == 180 {
				cut()
			}
			return app.NewID()
		}
		if err := p.keep(ctx); !errors.Is(err, context.Canceled) {
			t.Fatalf("after %d days: %v", at.Kept, err)
		}
		before := at.Kept
		var err error
		at, err = readProgress(t.Context(), p.Store.Reader())
		check(t, err)
		if at.Kept == before {
			t.Fatalf("nothing of day %d was kept", before)
		}
	}
	p.NewID = app.NewID
	check(t, p.keep(t.Context()))
	check(t, p.keep(t.Context())) // and nothing more is made
	plan, straight := p.at.plan(nil, p.cast), planned(t, nil, 5)
	straight.at.Began = p.at.Began // the same days
	value, err := json.Marshal(&straight.at)
	check(t, err)
	check(t, straight.Store.Write(t.Context(), func(tx *store.Tx) error { return tx.PutSetting(t.Context(), pastSetting, string(value)) }))
	check(t, straight.keep(t.Context()))
	first, _ := plan.Span(0)
	_, end := plan.Span(plan.Days() - 1)
	whole := straight.pointsOf(t, fleet.InstantOf(end))
	for i, found := range p.pointsOf(t, fleet.InstantOf(end)) {
		if len(found) != len(whole[i]) || len(found) == 0 {
			t.Errorf("%s has %d points, want %d", p.cast[i].Vehicle.Nickname, len(found), len(whole[i]))
		}
	}
	things, err := thingsOf(t.Context(), p.Store.Reader(), p.cast)
	check(t, err)
	others, err := thingsOf(t.Context(), straight.Store.Reader(), p.cast)
	check(t, err)
	from, to := fleet.InstantOf(first), fleet.InstantOf(end)+1
	runs, incidents, visits := made(t, p.Store, things, from, to)
	wantRuns, wantIncidents, wantVisits := made(t, straight.Store, others, from, to)
	if !slices.Equal(runs, wantRuns) || !slices.Equal(incidents, wantIncidents) || !slices.Equal(visits, wantVisits) || len(runs) == 0 {
		t.Errorf("%d of %d runs, %d of %d incidents, %d of %d visits", len(runs), len(wantRuns), len(incidents), len(wantIncidents), len(visits), len(wantVisits))
	}
	if cuts < 2 {
		t.Errorf("cut off %d times", cuts)
	}
}

// What was there all through the history is older than it, what is of now is not; every asset has been heard of since,
// and what a demo without a history has is of now.
func TestSeedWithAHistory(t *testing.T) {
	p := planned(t, nil, 30)
	first, _ := p.at.plan(nil, p.cast).Span(0)
	r, now := p.Store.Reader(), fleet.InstantOf(time.Now())
	isNow := func(at fleet.Instant) bool { return at.Sub(now).Abs() < time.Minute }
	things, err := thingsOf(t.Context(), r, p.cast)
	check(t, err)
	out := 0
	for i, thing := range things {
		if thing.CreatedAt == 0 || thing.CreatedAt >= fleet.InstantOf(first) {
			t.Errorf("%s was made at %s", thing.Nickname, thing.CreatedAt)
		}
		if _, s, _, ok := p.Live.Thing(thing.ID); !ok || s.HeartbeatAt == 0 || s.Alerting || now.Sub(s.HeartbeatAt) < max(p.cast[i].Vehicle.LastSeen, 6*time.Hour) {
			t.Errorf("%s was heard at %s", thing.Nickname, s.HeartbeatAt)
		}
		if !thing.InService && isNow(thing.OutOfServiceAt) {
			out++
		}
	}
	all, err := store.ListOrganizations(t.Context(), r)
	check(t, err)
	old := 0
	for _, o := range all {
		if o.UpdatedAt < fleet.InstantOf(first) {
			old++
		}
	}
	if out != 2 || old != 3 {
		t.Errorf("%d assets out of service now, %d organizations older than the history", out, old)
	}
	for _, u := range p.file.Users {
		if found, err := store.UserByEmailKey(t.Context(), r, fleet.EmailKey(u.Email)); err != nil || !isNow(found.PasswordChangedAt) {
			t.Errorf("the password of %s is of %s (%v)", u.Email, found.PasswordChangedAt, err)
		}
	}
	works, _, err := store.Closures.Page(t.Context(), r, []string{things[len(things)-10].OrganizationID}, 0, 1, 100)
	check(t, err)
	verbs, ended := map[string]int{}, map[string]int{}
	for i := range works {
		if works[i].Kind != fleet.ClosureManual {
			continue
		}
		is := works[i].SpanAt(now)
		if ended[is.Reason]++; is.IsActive || is.EndedAt < fleet.InstantOf(first) || is.EndedAt > now {
			t.Errorf("%s: %+v", works[i].Description, is)
		}
		rows, err := store.VersionsSince(t.Context(), r, "closure", works[i].ID, 0)
		check(t, err)
		for _, row := range rows {
			if verbs[row.Verb]++; row.At < fleet.InstantOf(first) || isNow(row.At) {
				t.Errorf("%s of %s at %s", row.Verb, works[i].Description, row.At)
			}
		}
	}
	if verbs["create"] < 5 || verbs["confirm"] < 2 || verbs["update"] < 2 || ended[""] == 0 || ended[fleet.ClosureEnded] == 0 {
		t.Errorf("versions %v, ends %v", verbs, ended)
	}
}
