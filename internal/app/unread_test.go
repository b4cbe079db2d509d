package app_test

import (
	"testing"
	"time"

	"lightbar/internal/access"
	"lightbar/internal/app"
	"lightbar/internal/live"
	"lightbar/internal/store"
	"lightbar/internal/store/storetest"
	"lightbar/internal/testkit/apptest"
	"lightbar/internal/wire"
)

// One closure that cannot be read takes nothing from the others: lists, documents and the task go on.
func TestAnUnreadableClosureStopsNoOther(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		q := newQuestion(t, s, 24*time.Hour)
		bad := q.closure("Bad", 24*time.Hour) // its task would be due as well
		spoil(t, s, `UPDATE closure SET user_route = '[{"la', verified_by = '7' WHERE id = $1`, bad.ID)
		q.sent(q.round(4*time.Hour), q.owner)
		rows, _, err := q.Closures.List(t.Context(), q.owner, app.Rows{})
		if err != nil || len(rows) != 1 || rows[0].ID != q.row.ID || rows[0].AskedAt == 0 {
			t.Errorf("the list: %v %v", rows, err)
		}
		// It keeps its place: who asks page by page up to the total has all others.
		seen := 0
		for page := 1; page <= 2; page++ {
			rows, meta, err := q.Closures.List(t.Context(), q.owner, app.Rows{Page: page, PerPage: 1})
			if seen += len(rows); err != nil || meta.Total != 2 {
				t.Errorf("page %d: %+v %v", page, meta, err)
			}
		}
		if seen != 1 {
			t.Errorf("%d rows on two pages", seen)
		}
		if found, err := store.FindUnread(t.Context(), s.Reader()); err != nil || len(found) != 1 || found[0].Key != bad.ID {
			t.Errorf("found: %v %v", found, err)
		}
		if s.UnreadRows() != 1 {
			t.Errorf("%d rows are counted", s.UnreadRows())
		}
	})
}

// A start leaves out an area and a zone that cannot be read.
func TestUnreadableAreasAndZonesStopNoStart(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		q := newQuestion(t, s, time.Hour)
		for _, name := range []string{"Good", "Bad", "Worse"} {
			must(t, second(first(q.Areas.Create(t.Context(), q.owner, newArea(q.organization.ID, name)))))
		}
		spoil(t, s, `UPDATE area SET geometry = '{"' WHERE name = $1`, "Bad")
		spoil(t, s, `UPDATE area SET geometry = '{"type":"Point"}' WHERE name = $1`, "Worse")
		q.Open(s, live.Options{})
		rows, _, err := q.Areas.List(t.Context(), q.owner, app.Rows{})
		if err != nil || len(rows) != 1 || rows[0].Name != "Good" {
			t.Errorf("%v %v", rows, err)
		}
	})
}

// A sender's next word of a hazard that cannot be read makes it anew.
func TestAHazardIsMadeAnew(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		k := apptest.New(t, s)
		o := k.Organization("A")
		user := k.User(o.ID, "administrator")
		took(t, "first", tellHazards(t, k, o.ID, danger(k, "h-1", "debris")), 1, 0)
		first := onlyHazard(t, k, user)
		spoil(t, s, `UPDATE hazard SET features = '{"' WHERE external_id = $1`, "h-1")
		k.Pass(time.Minute)
		took(t, "again", tellHazards(t, k, o.ID, danger(k, "h-1", "debris")), 1, 0)
		if again, n := onlyHazardOf(t, k, user); n != 1 || again.ID == first.ID {
			t.Errorf("%d rows, %s", n, again.ID)
		}
	})
}

// A sender's next word of an event that cannot be read makes it anew; one that says too little for that is refused alone.
func TestAnEventIsMadeAnew(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		k := apptest.New(t, s)
		o := k.Organization("A")
		user := k.User(o.ID, "administrator")
		first := said(k, "CAD-7")
		first.HasFeatures, first.Features = true, triangle(t)
		took(t, "first", tellEvents(t, k, o.ID, first, said(k, "CAD-8")), 2, 0)
		for _, text := range []string{`{"`, `{"type":"FeatureCollection","features":[{"type":"Feature"}]}`} {
			spoil(t, s, `UPDATE location SET features = $1 WHERE external_id = $2`, text, "CAD-7")
			k.Open(s, live.Options{})
			k.Pass(time.Minute)
			end := said(k, "CAD-7")
			end.HasLat, end.HasLng, end.HasActive = false, false, true
			took(t, "its end", tellEvents(t, k, o.ID, end, said(k, "CAD-8")), 1, 0, "lat_missing")
			took(t, "again", tellEvents(t, k, o.ID, said(k, "CAD-7"), said(k, "CAD-8")), 1, 1)
			rows, _, err := k.ListLocations(t.Context(), user, app.LocationQuery{})
			if must(t, err); len(rows) != 2 {
				t.Errorf("with %s: %+v", text, rows)
			}
		}
	})
}

// onlyHazardOf reads the list, whose total counts what cannot be read, too.
func onlyHazardOf(t *testing.T, k *apptest.Kit, user *access.Actor) (wire.Hazard, int) {
	t.Helper()
	rows, _, err := k.Hazards.List(t.Context(), user, app.Rows{})
	if must(t, err); len(rows) == 0 {
		t.Fatal("no hazard")
	}
	return rows[0], len(rows)
}

func spoil(t *testing.T, s *store.Store, text string, args ...any) {
	t.Helper()
	must(t, s.Write(t.Context(), func(tx *store.Tx) error {
		_, err := tx.ExecContext(t.Context(), text, args...)
		return err
	}))
}

// A watchdog that cannot be read is the usual one, and the next edit replaces it.
func TestAWatchdogIsMadeAnew(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		k := apptest.New(t, s)
		o := k.Organization("A")
		user := k.User(o.ID, "administrator")
		from, to := "22:00", "06:00"
		edit := app.WatchdogEdit{WatchdogWrite: wire.WatchdogWrite{QuietFrom: &from, QuietTo: &to}}
		must(t, second(k.EditWatchdog(t.Context(), user, edit)))
		spoil(t, s, `UPDATE watchdog SET modes = '{"', version = 7 WHERE organization_id = $1`, o.ID)
		usual, err := k.Watchdog(t.Context(), user, o.ID)
		if must(t, err); usual.QuietFrom != nil || usual.Rules[0].Mode != "trial" {
			t.Errorf("read as %+v", usual)
		}
		edit.Seen = usual.Version
		must(t, second(k.EditWatchdog(t.Context(), user, edit)))
		if again, err := k.Watchdog(t.Context(), user, o.ID); err != nil || again.QuietFrom == nil || again.Version == usual.Version {
			t.Errorf("then %+v, %v", again, err)
		}
	})
}
