package store_test

import (
	"context"
	"fmt"
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"

	"lightbar/internal/fleet"
	"lightbar/internal/store"
	"lightbar/internal/store/storetest"
)

// rounds are as many as the number of the last boolean of a row has bits.
const rounds = 6

// fill gives every field of a row a value of its own: what has no column, or is
// read into another field, comes back different. Booleans spell the number of
// their field over the rounds.
func fill(row any, round int) {
	v := reflect.ValueOf(row).Elem()
	for i := range v.NumField() {
		fillField(v.Field(i), fmt.Sprintf("%s %d", v.Type().Field(i).Name, round), i+1, round)
	}
}

func fillField(f reflect.Value, text string, n, round int) {
	switch f.Kind() {
	case reflect.String:
		f.SetString(text)
	case reflect.Int64, reflect.Int:
		f.SetInt(int64(1000*(round+1) + n))
	case reflect.Float64:
		f.SetFloat(float64(n) + 0.5)
	case reflect.Bool:
		f.SetBool(n>>round&1 == 1)
	case reflect.Pointer:
		f.Set(reflect.New(f.Type().Elem()))
		fillField(f.Elem(), text, n, round)
	case reflect.Slice:
		switch f.Addr().Interface().(type) {
		case *[]string:
			f.Set(reflect.ValueOf([]string{"one", "two"}))
		case *[]byte:
			f.SetBytes([]byte(text))
		}
	}
}

func TestEveryFieldOfARowIsKept(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		for round := range rounds {
			var o fleet.Organization
			fill(&o, round)
			o.DeletedAt, o.HasPosition = 0, true
			kept(t, s, o, func(ctx context.Context, tx *store.Tx) error { return tx.InsertOrganization(ctx, o) },
				func(ctx context.Context, r store.Reader) (fleet.Organization, error) {
					return store.OrganizationByID(ctx, r, o.ID)
				})
			keptOfPeople(t, s, o.ID, round)
			keptOfAssets(t, s, o.ID, round)
		}
	})
}

func keptOfPeople(t *testing.T, s *store.Store, organizationID string, round int) {
	t.Helper()
	var u fleet.User
	fill(&u, round)
	u.OrganizationID, u.DeletedAt = organizationID, 0
	kept(t, s, u, func(ctx context.Context, tx *store.Tx) error { return tx.InsertUser(ctx, u) },
		func(ctx context.Context, r store.Reader) (fleet.User, error) {
			m, err := store.MemberByID(ctx, r, u.ID, 1)
			return m.User, err
		})

	var k fleet.Key
	fill(&k, round)
	k.OrganizationID = organizationID
	kept(t, s, k, func(ctx context.Context, tx *store.Tx) error { return tx.InsertKey(ctx, k) },
		func(ctx context.Context, r store.Reader) (fleet.Key, error) {
			row, err := store.KeyRowByID(ctx, r, k.ID)
			if row.Hash != nil {
				t.Error("a list shows the hash of a key")
			}
			all, keyErr := store.KeyByHash(ctx, r, k.Hash)
			row.Hash = all.Hash
			if diff := cmp.Diff(row.Key, all); err != nil || keyErr != nil || diff != "" {
				t.Errorf("%v %v\n%s", err, keyErr, diff)
			}
			return all, err
		})

	var v fleet.Session
	fill(&v, round)
	v.UserID = u.ID
	kept(t, s, v, func(ctx context.Context, tx *store.Tx) error { return tx.InsertSession(ctx, v) },
		func(ctx context.Context, r store.Reader) (fleet.Session, error) {
			return store.SessionByID(ctx, r, v.ID)
		})

	var a store.Answer
	fill(&a, round)
	kept(t, s, a, func(ctx context.Context, tx *store.Tx) error { return tx.PutAnswer(ctx, a) },
		func(ctx context.Context, r store.Reader) (store.Answer, error) {
			return store.AnswerByKey(ctx, r, a.Key, 0)
		})
}

func keptOfAssets(t *testing.T, s *store.Store, organizationID string, round int) {
	t.Helper()
	var g fleet.Thing
	fill(&g, round)
	g.No, g.OrganizationID, g.DeletedAt, g.OwnedAt = int64(round+1), organizationID, 0, 0
	kept(t, s, g, func(ctx context.Context, tx *store.Tx) error { return tx.InsertThing(ctx, &g) },
		func(ctx context.Context, r store.Reader) (fleet.Thing, error) {
			return newest(store.ListAllThings(ctx, r))
		})

	var c fleet.DeviceConfig
	fill(&c, round)
	c.ThingID = g.ID
	kept(t, s, c, func(ctx context.Context, tx *store.Tx) error { return tx.SaveDeviceConfig(ctx, c) },
		func(ctx context.Context, r store.Reader) (fleet.DeviceConfig, error) {
			return store.DeviceConfigOf(ctx, r, g.ID)
		})

	var l fleet.Location
	fill(&l, round)
	l.No, l.OrganizationID, l.HasHeading, l.HasAlt = 0, organizationID, true, true // No is not kept
	l.Presences = []fleet.Presence{{ThingID: g.ID, OrganizationID: organizationID, StartAt: 7, EndAt: 8}}
	kept(t, s, l, func(ctx context.Context, tx *store.Tx) error { return tx.SaveLocation(ctx, s.Engine(), &l) },
		func(ctx context.Context, r store.Reader) (fleet.Location, error) {
			return newest(store.LocationsOfOrganization(ctx, r, organizationID, l.StartAt, l.StartAt+1))
		})

	var a fleet.Area
	fill(&a, round)
	a.OrganizationID, a.HasCenter, a.Shape = organizationID, true, nil
	b := a
	fill(&b, round+1)
	b.OrganizationID, b.HasCenter, b.Shape, b.ID = organizationID, true, nil, a.ID
	a.Geometry, b.Geometry = `{"type":"LineString","coordinates":[[1,2],[3,4]]}`, `{"type":"LineString","coordinates":[[1,2],[5,6]]}`
	keptRecord(t, s, store.Areas, a, b, a.ID, a.Version)

	var z fleet.Zone
	fill(&z, round)
	z.OrganizationID = organizationID
	next := z
	fill(&next, round+1)
	next.OrganizationID, next.ID = organizationID, z.ID
	keptRecord(t, s, store.Zones, z, next, z.ID, z.Version)
}

// keptRecord checks that a record that people edit is kept whole, as it was made and as it was edited.
func keptRecord[T any](t *testing.T, s *store.Store, records store.Records[T], made, edited T, id string, version int64) {
	t.Helper()
	get := func(ctx context.Context, r store.Reader) (T, error) { return records.ByID(ctx, r, id) }
	kept(t, s, made, func(ctx context.Context, tx *store.Tx) error {
		_, err := records.Insert(ctx, tx, &made)
		return err
	}, get)
	kept(t, s, edited, func(ctx context.Context, tx *store.Tx) error {
		if again, err := records.Insert(ctx, tx, &edited); again || err != nil {
			t.Errorf("an id was taken twice: %v %v", again, err)
		}
		if stored, err := records.Update(ctx, tx, &edited, version+99); stored || err != nil {
			t.Errorf("an edit of another version was stored: %v %v", stored, err)
		}
		_, err := records.Update(ctx, tx, &edited, version)
		return err
	}, get)
}

// newest is the last row of a list.
func newest[T any](rows []*T, err error) (row T, _ error) {
	if len(rows) > 0 {
		row = *rows[len(rows)-1]
	}
	return row, err
}

// kept writes a row and reads it as it was.
func kept[T any](t *testing.T, s *store.Store, want T, write func(context.Context, *store.Tx) error,
	read func(context.Context, store.Reader) (T, error)) {
	t.Helper()
	if err := s.Write(t.Context(), func(tx *store.Tx) error { return write(t.Context(), tx) }); err != nil {
		t.Fatalf("%T: %v", want, err)
	}
	got, err := read(t.Context(), s.Reader())
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Errorf("%T: %v\n%s", want, err, diff)
	}
}
