package app_test

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"lightbar/internal/access"
	"lightbar/internal/app"
	"lightbar/internal/fleet"
	"lightbar/internal/store"
	"lightbar/internal/store/storetest"
	"lightbar/internal/testkit/apptest"
	"lightbar/internal/wire"
)

// tripsOf asks for an asset's trips of the hour before now.
func tripsOf(t *testing.T, k *apptest.Kit, actor *access.Actor, id string) wire.ThingTrips {
	t.Helper()
	out, err := k.Trips(t.Context(), actor, app.TripQuery{ThingID: id, Stretch: fleet.Stretch{Start: k.At().Add(-time.Hour), End: k.At()}})
	if err != nil {
		t.Fatal(err)
	}
	return out.Data
}

func refusedTrips(t *testing.T, k *apptest.Kit, actor *access.Actor, id string, s fleet.Stretch) string {
	t.Helper()
	_, err := k.Trips(t.Context(), actor, app.TripQuery{ThingID: id, Stretch: s})
	return refusal(err)
}

func refusal(err error) string {
	if r := (*fleet.Refusal)(nil); errors.As(err, &r) {
		return strings.Join(strings.Fields(r.Code+" "+r.Field+" "+r.Message), " ")
	}
	return fmt.Sprint(err)
}

// A run is told with what it was: how far, how fast, how long with lights on,
// where it began and ended; so is movement without lights. Packed points are told alike.
// spec: 3.trip.01, 6.req.10
func TestARunIsTold(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		k := apptest.New(t, s)
		o := k.Organization("Wilmington")
		id := k.Things(o.ID, "U", 1)[0].ID
		lat := 39.7
		drive := func(lights bool, minutes int) {
			for range minutes * 6 {
				k.Pass(10 * time.Second)
				lat += 150.0 / 111_194.9
				p := lit("U-0", k.At(), lat)
				p.Alerting, p.HasSpeed, p.SpeedMS, p.HasCourse, p.CourseDeg = lights, true, 15, true, 0
				report(t, k, o.ID, p)
			}
		}
		drive(true, 10)
		drive(false, 1)
		k.Pass(20 * time.Minute) // parked, and silent
		drive(false, 5)
		k.Pass(time.Second)
		operator := k.User(o.ID, "operator")
		got := tripsOf(t, k, operator, id)
		if len(got.Runs) != 1 || len(got.Other) != 2 || got.ThingID != id || len(got.Unreadable) != 0 {
			t.Fatalf("%+v", got)
		}
		run := got.Runs[0]
		if run.IsActive || run.IsClipped || run.RunDuration != 590 || run.LightsOn != 590 || len(run.Points) != 60 || run.TopSpeed == nil ||
			*run.TopSpeed != 15 || math.Abs(run.Distance-59*150) > 10 || *run.Points[0].Course != 0 || run.Points[0].Timestamp != run.RunStart {
			t.Errorf("%+v", run)
		}
		if last := got.Other[0]; last.RunStart <= run.RunEnd || len(last.Points) != 30 || math.Abs(last.Distance-29*150) > 10 || last.LightsOn != 0 {
			t.Errorf("%+v", last)
		}
		states := ""
		for _, span := range got.Spans {
			states += " " + span.State
		}
		if states != " silent moving silent moving" || len(got.Lights) != 1 {
			t.Errorf("%s, lights %v", states, got.Lights)
		}
		// The part outside of the asked time is not told, and that is said.
		asked := fleet.Stretch{Start: run.RunStart + 300_000, End: k.At()}
		trips := func() wire.ThingTrips {
			out, err := k.Trips(t.Context(), operator, app.TripQuery{ThingID: id, Stretch: asked})
			if err != nil {
				t.Fatal(err)
			}
			return out.Data
		}
		cut := trips()
		if r := cut.Runs[0]; !r.IsClipped || len(r.Points) != 30 || r.RunDuration != 590 || r.LightsOn != 290 {
			t.Errorf("%+v", r)
		}
	})
}

// Packed points are told as others; an hour that cannot be read is named.
func TestPackedPointsAreTold(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		k := apptest.New(t, s)
		o := k.Organization("Wilmington")
		id := k.Things(o.ID, "U", 1)[0].ID
		asset, _, _, _ := k.Live.Thing(id)
		from := k.At().Add(-10 * time.Hour)
		write := func(text string, args ...any) {
			t.Helper()
			if err := s.Write(t.Context(), func(tx *store.Tx) error {
				_, err := tx.ExecContext(t.Context(), text, args...)
				return err
			}); err != nil {
				t.Fatal(err)
			}
		}
		for i := range int64(30) {
			at := int64(from) + i*10_000
			write(`INSERT INTO point (minute, thing_no, at, received_at, lat, lng, course, speed, accuracy, flags)
VALUES ($1, $2, $3, $3, $4, -755000000, -1, 1500, -1, 0)`, at/60_000, asset.No, at, 397000000+i*13_490)
		}
		trips := func() wire.ThingTrips {
			t.Helper()
			out, err := k.Trips(t.Context(), k.User(o.ID, "operator"), app.TripQuery{ThingID: id, Stretch: fleet.Stretch{Start: from, End: from.Add(time.Hour)}})
			if err != nil {
				t.Fatal(err)
			}
			return out.Data
		}
		loose := trips()
		if len(loose.Other) != 1 || len(loose.Other[0].Points) != 30 {
			t.Fatalf("%+v", loose)
		}
		if err := s.Write(t.Context(), func(tx *store.Tx) error { return tx.PutSavedTo(t.Context(), k.At()) }); err != nil {
			t.Fatal(err)
		}
		if err := k.SealPoints(t.Context()); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(loose, trips()); diff != "" {
			t.Errorf("once packed: %s", diff)
		}
		write(`UPDATE point_block SET n = 300001`)
		if got := refusedTrips(t, k, k.User(o.ID, "operator"), id, fleet.Stretch{Start: from, End: from.Add(time.Hour)}); !strings.Contains(got, "more than 300000 points") {
			t.Errorf("of too many points: %s", got)
		}
		write(`UPDATE point_block SET n = 30`)
		write(`UPDATE point_block SET body = $1`, []byte("spoiled"))
		if got := trips(); len(got.Unreadable) != 1 || len(got.Other) != 0 || got.Unreadable[0].Start.Time() != from.Time().Truncate(time.Hour) {
			t.Errorf("of a spoiled block: %+v", got)
		}
		trips()
		if n := audits(t, k, "alarm", id); n != 1 {
			t.Errorf("the audit names the spoiled block %d times", n)
		}
	})
}

// What may not be asked is refused with the words of requirements 5.trip, and who may not ask, too.
// spec: 5.trip.03, 5.trip.04, 5.trip.05, 5.trip.06, 6.req.10, 8.trip.01
func TestTripsAreRefused(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		k := apptest.New(t, s)
		o, other := k.Organization("Wilmington"), k.Organization("Dover")
		id := k.Things(o.ID, "U", 1)[0].ID
		operator, now := k.User(o.ID, "operator"), k.At()
		day := 24 * time.Hour
		for _, row := range []struct {
			from, to fleet.Instant
			want     string
		}{
			{now.Add(-day), now, "<nil>"},
			{now.Add(-day) - 1, now, "validation_failed end_time Select up to 24 hours"},
			{now.Add(-day), now + 1, "validation_failed end_time Must be past date"},
			{now + 1, now + 2, "validation_failed start_time Must be past date"},
			{now, now, "validation_failed end_time Dates must be different"},
			{now, now - 1, "validation_failed end_time End time must be after Start time"},
		} {
			if got := refusedTrips(t, k, operator, id, fleet.Stretch{Start: row.from, End: row.to}); got != row.want {
				t.Errorf("%v to %v: %s instead of %s", row.from, row.to, got, row.want)
			}
		}
		hour := fleet.Stretch{Start: now.Add(-time.Hour), End: now}
		const missing = "not_found Asset not found"
		for _, row := range []struct {
			actor *access.Actor
			id    string
			want  string
		}{
			{k.User(o.ID, "viewer"), id, "forbidden"}, {k.User(other.ID, "administrator"), id, missing}, {operator, k.NewID(), missing},
		} {
			if got := refusedTrips(t, k, row.actor, row.id, hour); !strings.HasPrefix(got, row.want) {
				t.Errorf("%s: %s instead of %s", row.id, got, row.want)
			}
			if _, _, err := k.Coverage(t.Context(), row.actor, app.CoverageQuery{ThingIDs: []string{row.id}}); !strings.HasPrefix(refusal(err), row.want) {
				t.Errorf("coverage of %s: %v instead of %s", row.id, err, row.want)
			}
		}
		if n := audits(t, k, "read", id); n != 1 {
			t.Errorf("%d rows of the audit for one answer", n)
		}
	})
}

func audits(t *testing.T, k *apptest.Kit, verb, id string) (n int) {
	t.Helper()
	row := k.Store.Reader().QueryRowContext(t.Context(), `SELECT COUNT(*) FROM audit WHERE verb = $1 AND noun_id = $2`, verb, id)
	if err := row.Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

// Of an asset that changed hands each owner sees its own part, and who could
// read it for the one before nothing; the part of an owner outlives the asset.
func TestEachOwnerSeesItsPart(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		x := newTransferred(t, s)
		if _, err := x.TransferThing(t.Context(), x.admin, x.id, x.b.ID, 0); err != nil {
			t.Fatal(err)
		}
		moved := x.At()
		x.Pass(time.Minute)
		respond(t, x.Kit, x.b.ID, "U-0")
		x.Pass(time.Second)
		part := func(organizationID string) (before, after int) {
			got := tripsOf(t, x.Kit, x.User(organizationID, "operator"), x.id)
			for _, list := range [][]wire.Trip{got.Runs, got.Other} {
				for _, trip := range list {
					for _, p := range trip.Points {
						if p.Timestamp < moved {
							before++
						} else {
							after++
						}
					}
				}
			}
			for _, span := range got.Spans {
				if mine := organizationID == x.a.ID; span.End > moved && mine || span.Start < moved && !mine {
					t.Errorf("%s sees the span %+v around %v", organizationID, span, moved)
				}
			}
			return before, after
		}
		check := func() {
			t.Helper()
			if before, after := part(x.a.ID); before == 0 || after != 0 {
				t.Errorf("the first owner sees %d and %d points", before, after)
			}
			if before, after := part(x.b.ID); before != 0 || after == 0 {
				t.Errorf("the second owner sees %d and %d points", before, after)
			}
			hour := fleet.Stretch{Start: x.At().Add(-time.Hour), End: x.At()}
			if got := refusedTrips(t, x.Kit, x.User(x.c.ID, "operator"), x.id, hour); got != "not_found Asset not found" {
				t.Errorf("who could read it for the first owner: %s", got)
			}
			cover, _, err := x.Coverage(t.Context(), x.User(x.a.ID, "operator"), app.CoverageQuery{ThingIDs: []string{x.id}})
			if err != nil || len(cover[0].Spans) != 1 || cover[0].Spans[0].End >= moved || cover[0].Spans[0].Points != 5 {
				t.Errorf("coverage %+v %v", cover, err)
			}
		}
		check()
		if err := x.DeleteThing(t.Context(), access.System(), x.id); err != nil {
			t.Fatal(err)
		}
		check()
	})
}

// A run that goes on is told as far as it went, though nothing of it is written yet.
func TestARunThatGoesOnIsTold(t *testing.T) {
	k := apptest.New(t, storetest.SQLite(t))
	o := k.Organization("Wilmington")
	id := k.Things(o.ID, "U", 1)[0].ID
	for i := range 4 {
		report(t, k, o.ID, lit("U-0", k.At(), 39.7+float64(i)/100))
		k.Pass(20 * time.Second)
	}
	k.Pass(time.Second)
	if got := tripsOf(t, k, k.User(o.ID, "operator"), id); len(got.Runs) != 1 || !got.Runs[0].IsActive || len(got.Runs[0].Points) != 4 {
		t.Fatalf("%+v", got)
	}
	k.Pass(6 * time.Minute) // and not a word more
	if got := tripsOf(t, k, k.User(o.ID, "operator"), id); len(got.Runs) != 1 || got.Runs[0].IsActive {
		t.Errorf("six minutes later: %+v", got.Runs)
	}
}
