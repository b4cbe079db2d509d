package app_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"lightbar/internal/access"
	"lightbar/internal/fleet"
	"lightbar/internal/store"
	"lightbar/internal/store/storetest"
	"lightbar/internal/testkit/apptest"
	"lightbar/internal/wire"
)

// A check finds the closures on the same road, the same way, at the same time, of every organization in reach, and saves nothing.
func TestAClosureIsCheckedBeforeItIsSaved(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		k := apptest.New(t, s)
		a, b, c := k.Organization("A"), k.Organization("B"), k.Organization("C")
		for _, o := range []fleet.Organization{a, b} {
			if _, err := k.UpdateOrganization(t.Context(), access.System(), o.ID, wire.OrganizationWrite{IsWZDxOrg: ref(true)}); err != nil {
				t.Fatal(err)
			}
		}
		admin := k.User(a.ID, "administrator")
		admin.Organizations[b.ID] = access.Read
		make := func(organization, name string, change func(in *wire.ClosureWrite)) string {
			in := newClosure(name)
			in.OrganizationID, in.Direction = ref(wire.ID(organization)), ref("N")
			in.IsActive, in.EndTime = ref(true), ref(k.At().Add(8*time.Hour))
			change(&in)
			row, _, err := k.Closures.Create(t.Context(), access.System(), in)
			if err != nil {
				t.Fatal(err)
			}
			return row.ID
		}
		same := make(a.ID, "the same", func(*wire.ClosureWrite) {})
		theirs := make(b.ID, "half of it", func(in *wire.ClosureWrite) {
			in.UserRoute = &[]fleet.LatLng{{Lat: 39.705, Lng: -75.5}, {Lat: 39.72, Lng: -75.5}}
		})
		make(c.ID, "out of reach", func(*wire.ClosureWrite) {})
		make(a.ID, "the other way", func(in *wire.ClosureWrite) {
			in.UserRoute = &[]fleet.LatLng{{Lat: 39.71, Lng: -75.5}, {Lat: 39.7, Lng: -75.5}}
		})
		make(a.ID, "tomorrow", func(in *wire.ClosureWrite) {
			in.IsActive, in.StartTime, in.EndTime = nil, ref(k.At().Add(24*time.Hour)), ref(k.At().Add(30*time.Hour))
		})
		make(a.ID, "out of service", func(in *wire.ClosureWrite) { in.IsInService = ref(false) })
		in := newClosure("New")
		in.Direction, in.IsActive, in.EndTime = ref("N"), ref(true), ref(k.At().Add(2*time.Hour))
		in.IsWZDxCompliant, in.ExternalID, in.LocationMethod, in.VehicleImpact = ref(true), ref("DE-1"), ref("unknown"), ref("flagging")
		found, err := k.CheckClosure(t.Context(), admin, in)
		if err != nil || len(found.Conflicts) != 2 || found.Conflicts[0].ID != same || found.Conflicts[1].ID != theirs || found.Conflicts[1].Source != "B" {
			t.Fatalf("%+v %v", found, err)
		}
		first, second := found.Conflicts[0].Overlap, found.Conflicts[1].Overlap
		if first.DistanceM < 1100 || first.DistanceM > 1120 || second.DistanceM < 540 || second.DistanceM > 600 || first.StartTime != k.At() || first.EndTime != *in.EndTime {
			t.Errorf("%+v %+v", first, second)
		}
		if lines := second.Lines; len(lines) != 1 || lines[0][0].Lat < 39.7045 || lines[0][0].Lat > 39.705 || lines[0][1] != (*in.UserRoute)[1] {
			t.Errorf("drawn are %v", lines)
		}
		if shown := found.Previews; len(shown) != 3 || shown[0].Reader != "Waze" || shown[1].Direction != "northbound" || shown[2].EndTime != *in.EndTime ||
			shown[0].Title != "New" || shown[0].Direction != "ONE_DIRECTION" {
			t.Errorf("%+v", shown)
		}
		if len(found.Problems) != 1 || found.Problems[0].Rule != "road_name_missing" {
			t.Errorf("%+v", found.Problems)
		}
		in.UUID = ref(wire.ID(same))
		if found, err := k.CheckClosure(t.Context(), admin, in); err != nil || len(found.Conflicts) != 1 || found.Conflicts[0].ID != theirs {
			t.Errorf("compared with itself: %+v %v", found, err)
		}
		pattern, _ := nightly(k.Now(), "UTC", (k.Now().Hour()+24)%24, 60, 1, 2, 3, 4, 5, 6, 7)
		nights := newClosure("Nights")
		nights.Direction, nights.Recurrence = ref("N"), pattern
		if found, err := k.CheckClosure(t.Context(), admin, nights); err != nil || len(found.Conflicts) != 3 {
			t.Errorf("every day: %+v %v", found, err)
		}
		nights.Recurrence = wire.Pattern(strings.Replace(string(pattern), "{", `{"every":2,`, 1)) // not understood is not accepted
		if found, err := k.CheckClosure(t.Context(), admin, nights); fieldsOf(err)["recurrence"] == "" {
			t.Errorf("a pattern with a word of its own: %+v %v", found, err)
		}
		if _, total, err := store.Closures.Page(t.Context(), s.Reader(), []string{a.ID}, 0, 1, 1); err != nil || total != 4 {
			t.Errorf("%d closures, %v", total, err)
		}
		if refusal := refusalOf(t, second3(k.CheckClosure(t.Context(), k.User(a.ID, "viewer"), in))); refusal.Code != "forbidden" {
			t.Errorf("a viewer: %+v", refusal)
		}
		phone := k.User(a.ID, "viewer")
		for _, permission := range []string{"mobile:closure:create", "closure:update"} {
			drawer := *phone
			drawer.Permissions = map[string]bool{permission: true}
			if _, err := k.CheckClosure(t.Context(), &drawer, in); err != nil {
				t.Errorf("who may draw by %s: %v", permission, err)
			}
		}
		in.OrganizationID = ref(wire.ID(b.ID))
		if refusal := refusalOf(t, second3(k.CheckClosure(t.Context(), admin, in))); refusal.Code != "organization_not_found" {
			t.Errorf("where it may only read: %+v", refusal)
		}
	})
}

func second3[T any](_ T, err error) error { return err }

// BenchmarkCheckClosure is a check beside 10,000 closures, a tenth of them of nights.
func BenchmarkCheckClosure(b *testing.B) {
	k := apptest.New(b, storetest.SQLite(b))
	o := k.Organization("A")
	admin := k.User(o.ID, "administrator")
	pattern, _ := nightly(k.Now(), "America/New_York", 21, 480, 1, 2, 3, 4, 5)
	recurrence, err := pattern.Read()
	if err != nil {
		b.Fatal(err)
	}
	err = k.Store.Write(b.Context(), func(tx *store.Tx) error {
		for n := range 10_000 {
			c := fleet.Closure{ID: fmt.Sprintf("%04d", n), OrganizationID: o.ID, Kind: "manual", StartAt: k.At(), EndAt: k.At().Add(time.Hour), Version: 1, UpdatedAt: 1,
				UserRoute: []fleet.LatLng{{Lat: 39 + float64(n%100)/100, Lng: -75 - float64(n/100)/100}, {Lat: 39.009 + float64(n%100)/100, Lng: -75 - float64(n/100)/100}}}
			if n%10 == 0 {
				c.StartAt, c.EndAt, c.Recurrence = 0, 0, recurrence
			}
			if _, err := store.Closures.Insert(context.Background(), tx, &c); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		b.Fatal(err)
	}
	in := newClosure("New")
	in.UserRoute = &[]fleet.LatLng{{Lat: 39.5, Lng: -75.5}, {Lat: 39.6, Lng: -75.5}}
	in.IsActive, in.EndTime = ref(true), ref(k.At().Add(48*time.Hour))
	for b.Loop() {
		if found, err := k.CheckClosure(b.Context(), admin, in); err != nil || len(found.Conflicts) < 5 {
			b.Fatal(len(found.Conflicts), err)
		}
	}
}
