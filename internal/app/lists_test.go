package app_test

import (
	"math"
	"testing"
	"time"

	"lightbar/internal/access"
	"lightbar/internal/app"
	"lightbar/internal/audit"
	"lightbar/internal/fleet"
	"lightbar/internal/people"
	"lightbar/internal/store"
	"lightbar/internal/store/storetest"
	"lightbar/internal/testkit/apptest"
	"lightbar/internal/wire"
)

// endedLongAgo makes an incident that only the database still holds.
func endedLongAgo(t *testing.T, k *apptest.Kit, organizationID string) {
	t.Helper()
	k.Things(organizationID, "U", 1)
	for range 3 {
		k.Pass(30 * time.Second)
		if _, err := k.RecordPoints(t.Context(), k.Device(organizationID), app.ReportBatch{Reports: []fleet.Report{point(k.At(), 0, true)}}); err != nil {
			t.Fatal(err)
		}
	}
	for _, d := range []time.Duration{9 * time.Hour, 10 * 24 * time.Hour} {
		k.Pass(d)
		if err := k.AgeDue(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
}

// An organization that is named twice counts once: no list has a row twice.
func TestOrganizationNamedTwice(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		k := apptest.New(t, s)
		a, b := k.Organization("A"), k.Organization("B")
		endedLongAgo(t, k, a.ID)
		user := k.User(a.ID, "administrator")
		user.Organizations[b.ID] = access.Full
		asked := []string{b.ID, a.ID, b.ID, a.ID}
		rows, meta, err := k.ListLocations(t.Context(), user, app.LocationQuery{OrganizationIDs: asked, Start: apptest.Noon})
		if err != nil || len(rows) != 1 || meta.Total != 1 {
			t.Errorf("%d incidents of %d (%v), want 1", len(rows), meta.Total, err)
		}
		if things, _, err := k.ListThings(t.Context(), user, app.ThingQuery{OrganizationIDs: asked}); err != nil || len(things) != 1 {
			t.Errorf("%d assets (%v)", len(things), err)
		}
		if asked[0] != b.ID || asked[1] != a.ID {
			t.Errorf("the caller's list was changed: %v", asked)
		}
	})
}

// A page far behind the last one is empty, however large its number.
func TestPageBehindTheLast(t *testing.T) {
	k := apptest.New(t, storetest.SQLite(t))
	o := k.Organization("A")
	endedLongAgo(t, k, o.ID)
	user := k.User(o.ID, "administrator")
	lists := map[string]func(page, perPage int) (int, wire.Meta, error){
		"things": func(page, perPage int) (int, wire.Meta, error) {
			rows, meta, err := k.ListThings(t.Context(), user, app.ThingQuery{Page: page, PerPage: perPage})
			return len(rows), meta.Meta, err
		},
		"locations": func(page, perPage int) (int, wire.Meta, error) {
			rows, meta, err := k.ListLocations(t.Context(), user, app.LocationQuery{Start: apptest.Noon, Page: page, PerPage: perPage})
			return len(rows), meta, err
		},
		"members": func(page, perPage int) (int, wire.Meta, error) {
			rows, meta, err := k.ListMembers(t.Context(), user, people.MemberQuery{Page: page, PerPage: perPage})
			return len(rows), meta, err
		},
		"audit": func(page, perPage int) (int, wire.Meta, error) {
			rows, meta, err := k.Audit.List(t.Context(), user, audit.Query{Page: page, PerPage: perPage})
			return len(rows), meta, err
		},
	}
	for name, list := range lists {
		_, first, err := list(1, 1)
		if err != nil {
			t.Fatal(name, err)
		}
		for _, page := range []int{math.MaxInt, math.MaxInt/500 + 1, 27_670_116_110_564_328, 36_893_488_147_419_104} { // × 500 wraps
			for _, perPage := range []int{1, 500} {
				if n, meta, err := list(page, perPage); err != nil || n != 0 || meta.Total != first.Total {
					t.Errorf("%s, page %d of %d: %d rows, %+v, %v", name, page, perPage, n, meta, err)
				}
			}
		}
	}
}
