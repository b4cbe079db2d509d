package app_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"lightbar/internal/access"
	"lightbar/internal/app"
	"lightbar/internal/fleet"
	"lightbar/internal/live"
	"lightbar/internal/store"
	"lightbar/internal/store/storetest"
	"lightbar/internal/testkit/apptest"
	"lightbar/internal/wire"
)

// happened are the changes since an instant as an actor is told of them: "noun what name by", newest first.
func happened(t *testing.T, k *apptest.Kit, actor *access.Actor, since fleet.Instant, organizations ...string) []string {
	t.Helper()
	out, err := k.Changes(t.Context(), actor, app.ChangesQuery{OrganizationIDs: organizations, Since: since})
	must(t, err)
	total, counted := 0, map[string]map[string]int{}
	rows := make([]string, len(out.Data))
	for i, c := range out.Data {
		by := "nobody"
		if c.By != nil {
			by = *c.By
		}
		rows[i] = strings.Join([]string{c.Noun, c.What, c.Name, by}, " ")
		if counted[c.Noun] == nil {
			counted[c.Noun] = map[string]int{}
		}
		counted[c.Noun][c.What]++
		if total++; c.At < since || c.ID == "" {
			t.Errorf("%+v", c)
		}
	}
	if out.Meta.Total != total || !maps.EqualFunc(out.Counts, counted, maps.Equal[map[string]int, map[string]int]) {
		t.Errorf("%d %v, of %v", out.Meta.Total, out.Counts, rows)
	}
	return rows
}

func tells(t *testing.T, what string, got []string, want ...string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s:\n%s\nwant\n%s", what, strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// What has become of scenes, units and areas since an instant is told once for
// each, the newest first, and by whom as far as the asking user may know.
func TestChangesTellWhatHasHappenedSince(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		k := apptest.New(t, s)
		a, b := k.Organization("A"), k.Organization("B")
		admin, viewer, stranger := k.User(a.ID, "administrator"), k.User(a.ID, "viewer"), k.User(b.ID, "viewer")
		units := k.Things(a.ID, "U", 3)
		depot, gate := madeArea(t, k, newArea(a.ID, "Depot")), madeArea(t, k, newArea(a.ID, "Gate"))
		for _, name := range []string{"U-0", "U-1"} {
			hears(t, k, a.ID, name)
		}
		k.Pass(time.Second)
		since := k.At()
		if got := happened(t, k, admin, since); len(got) != 0 {
			t.Errorf("nothing has happened: %v", got)
		}

		took(t, "opened", tellEvents(t, k, a.ID, said(k, "CAD-7"), said(k, "CAD-8")), 2, 0)
		k.Pass(time.Second)
		_, err := k.Areas.Edit(t.Context(), admin, gate.ID, 0, wire.AreaWrite{Desc: ref("Keep clear")})
		must(t, err)
		k.Pass(time.Second)
		must(t, k.Areas.Remove(t.Context(), admin, depot.ID))
		k.Pass(time.Second)
		yard := madeArea(t, k, newArea(a.ID, "Yard"))
		_, err = k.Areas.Edit(t.Context(), admin, yard.ID, 0, wire.AreaWrite{Name: ref("Yard 2")})
		must(t, err)
		must(t, k.Areas.Remove(t.Context(), admin, madeArea(t, k, newArea(a.ID, "Mistake")).ID))
		k.Pass(time.Second)
		took(t, "ended", tellEvents(t, k, a.ID, fleet.EventReport{MarkReport: fleet.MarkReport{ID: "CAD-8", At: k.At(), HasActive: true}}), 1, 0)
		k.Pass(time.Second)
		_, err = k.RegisterThing(t.Context(), admin, app.NewThing{OrganizationID: a.ID, SystemName: "NEW", Nickname: "Ladder 9", Type: "fire"})
		must(t, err)
		k.Pass(time.Second)
		k.Prove(admin)
		must(t, k.DeleteThing(t.Context(), admin, units[2].ID))
		mistake, err := k.RegisterThing(t.Context(), admin, app.NewThing{OrganizationID: a.ID, SystemName: "MISTAKE", Type: "fire"})
		must(t, err)
		must(t, k.DeleteThing(t.Context(), admin, mistake.ID))
		k.Pass(11 * time.Minute)
		hears(t, k, a.ID, "U-1")

		want := []string{"thing heard U-1 nobody", "thing silent U-0 nobody", "thing deleted U-2 You", "thing created Ladder 9 You",
			"location ended CAD-8 nobody", "area created Yard 2 The system", "area deleted Depot You", "area changed Gate You", "location opened CAD-7 nobody"}
		tells(t, "all", happened(t, k, admin, since), want...)
		mine := strings.ReplaceAll(strings.Join(want, "\n"), "You", "Kit administrator")
		tells(t, "another of the house", happened(t, k, viewer, since), strings.Split(mine, "\n")...)
		tells(t, "a stranger", happened(t, k, stranger, since))
		if _, err := k.Changes(t.Context(), stranger, app.ChangesQuery{OrganizationIDs: []string{a.ID}, Since: since}); refusalOf(t, err).Code != "not_found" {
			t.Errorf("a stranger asks for them by name: %v", err)
		}
		stranger.Organizations[a.ID] = access.Read
		tells(t, "an organization that may read", happened(t, k, stranger, since, a.ID), strings.Split(strings.ReplaceAll(mine, "Kit administrator", "A"), "\n")...)
		delete(viewer.Permissions, "incident:read")
		delete(viewer.Permissions, "thing:read")
		tells(t, "of areas alone", happened(t, k, viewer, since), "area created Yard 2 The system", "area deleted Depot Kit administrator", "area changed Gate Kit administrator")
		tells(t, "since the last", happened(t, k, admin, k.At()), want[0])

		k.Open(s, live.Options{}) // who was heard again before the start is not known
		tells(t, "after a start", happened(t, k, admin, since), want[1:]...)
	})
}

// A scene that devices tell of late is told as of when the server learned of it, not of when it began.
func TestAChangeThatIsLearnedLateIsNotMissed(t *testing.T) {
	k := apptest.New(t, storetest.SQLite(t))
	a := k.Organization("A")
	k.Pass(time.Hour)
	since := k.At()
	k.Pass(time.Second)
	late := said(k, "CAD-7")
	late.At = since.Add(-time.Minute)
	took(t, "late", tellEvents(t, k, a.ID, late), 1, 0)
	tells(t, "begun a minute before", happened(t, k, k.User(a.ID, "viewer"), since), "location opened CAD-7 nobody")
	k.Pass(time.Second)
	asked := k.At()
	late.At, late.HasActive = since.Add(-time.Second), true
	took(t, "ended late", tellEvents(t, k, a.ID, late), 1, 0)
	tells(t, "ended before", happened(t, k, k.User(a.ID, "viewer"), asked), "location ended CAD-7 nobody")
	k.Pass(time.Second)
	asked = k.At()
	again := said(k, "CAD-7")
	took(t, "again", tellEvents(t, k, a.ID, again), 1, 0)
	tells(t, "opened again", happened(t, k, k.User(a.ID, "viewer"), asked), "location opened CAD-7 nobody")
}

// Past 500 rows the counts say how many there are.
func TestManyChangesAreCounted(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		k := apptest.New(t, s)
		a := k.Organization("A")
		since := k.At()
		k.Things(a.ID, "U", 1100)
		k.Pass(time.Second)
		for i := range 3 {
			madeArea(t, k, newArea(a.ID, fmt.Sprint("Area ", i)))
		}
		out, err := k.Changes(t.Context(), k.User(a.ID, "viewer"), app.ChangesQuery{Since: since})
		must(t, err)
		want := map[string]map[string]int{"thing": {"created": 1100}, "area": {"created": 3}}
		if len(out.Data) != 500 || out.Meta.Total != 1103 || out.Data[0].Noun != "area" || out.Data[3].Noun != "thing" ||
			!maps.EqualFunc(out.Counts, want, maps.Equal[map[string]int, map[string]int]) {
			t.Errorf("%d rows of %d, %v", len(out.Data), out.Meta.Total, out.Counts)
		}
	})
}

// Since when is said, and is neither ahead nor longer ago than changes are told.
func TestChangesRefuseSinceWhenTheyCannotBeTold(t *testing.T) {
	k := apptest.New(t, storetest.SQLite(t))
	a := k.Organization("A")
	viewer := k.User(a.ID, "viewer")
	const week = 7 * 24 * time.Hour
	for since, want := range map[fleet.Instant]string{0: "Required", k.At().Add(time.Minute): "The time is in the future.",
		k.At().Add(-week) - 1: "Changes are listed for 7 days."} {
		_, err := k.Changes(t.Context(), viewer, app.ChangesQuery{Since: since})
		if refusal := refusalOf(t, err); refusal.Code != "validation_failed" || refusal.Field != "since" || refusal.Message != want {
			t.Errorf("%s: %+v", since, refusal)
		}
	}
	for _, since := range []fleet.Instant{k.At(), k.At().Add(-week)} {
		_, err := k.Changes(t.Context(), viewer, app.ChangesQuery{Since: since})
		must(t, err)
	}
}
