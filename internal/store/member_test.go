package store_test

import (
	"errors"
	"slices"
	"sync"
	"testing"

	"lightbar/internal/fleet"
	"lightbar/internal/store"
	"lightbar/internal/store/storetest"
)

// people adds an organization "o1" with u1 (password), u2 (invited) and u3 (a
// provider's identity), and o2 with u4.
func people(t *testing.T, s *store.Store) {
	t.Helper()
	ctx := t.Context()
	invited, provided := user("u2", "o1", "b@b.example"), user("u3", "o1", "c@b.example")
	invited.PasswordHash, provided.PasswordHash = "", ""
	invited.RoleID, provided.RoleID = "r2", "r3"
	writePeople(t, s, func(tx *store.Tx) error {
		return errors.Join(tx.InsertOrganization(ctx, organization("o1", "Alpha")), tx.InsertOrganization(ctx, organization("o2", "Bravo")),
			tx.InsertUser(ctx, user("u1", "o1", "a@b.example")), tx.InsertUser(ctx, invited), tx.InsertUser(ctx, provided),
			tx.InsertUser(ctx, user("u4", "o2", "d@b.example")), tx.InsertIdentity(ctx, "https://id.example", "s", "u3", peopleAt))
	})
}

func TestOneAddressOneUser(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		people(t, s)
		ctx := t.Context()
		if err := s.Write(ctx, func(tx *store.Tx) error { return tx.InsertUser(ctx, user("u9", "o2", "a@b.example")) }); !errors.Is(err, store.ErrEmailInUse) {
			t.Errorf("the address of another organization's user: %v", err)
		}
		var group sync.WaitGroup
		results := make([]error, 8) // writers that do not see each other's rows yet
		for i := range results {
			group.Go(func() {
				results[i] = s.Write(ctx, func(tx *store.Tx) error {
					return tx.InsertUser(ctx, user("n"+string(rune('0'+i)), []string{"o1", "o2"}[i%2], "new@b.example"))
				})
			})
		}
		group.Wait()
		added := 0
		for _, err := range results {
			if err == nil {
				added++
			} else if !errors.Is(err, store.ErrEmailInUse) {
				t.Errorf("%v", err)
			}
		}
		if added != 1 {
			t.Errorf("%d of 8 were added", added)
		}
		for _, want := range []bool{true, false} {
			writePeople(t, s, func(tx *store.Tx) error {
				gone, err := tx.DeleteUser(ctx, "u1", peopleAt+1)
				if gone != want {
					t.Errorf("removed %v, want %v", gone, want)
				}
				return err
			})
		}
		writePeople(t, s, func(tx *store.Tx) error { return tx.InsertUser(ctx, user("u9", "o2", "a@b.example")) }) // free again
		if _, err := store.UserByID(ctx, s.Reader(), "u1"); !errors.Is(err, store.ErrNotFound) {
			t.Errorf("removed: %v", err)
		}
	})
}

func TestUsersAreChangedByVersion(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		people(t, s)
		ctx := t.Context()
		next := user("u1", "o2", "ignored@b.example")
		next.FirstName, next.State, next.RoleID, next.Suspended, next.Awareness, next.Version, next.UpdatedAt = "Ada", "DE", "r9", true, false, 2, peopleAt+5
		next.PasswordHash = "ignored"
		for _, want := range []bool{true, false} { // the second finds version 2
			writePeople(t, s, func(tx *store.Tx) error {
				there, err := tx.LockUser(ctx, "u1")
				if !there || err != nil {
					t.Errorf("lock: %v %v", there, err)
				}
				stored, err := tx.UpdateUser(ctx, next, 1)
				if stored != want {
					t.Errorf("stored %v, want %v", stored, want)
				}
				return err
			})
		}
		u, err := store.UserByID(ctx, s.Reader(), "u1")
		fine(t, err)
		if u.FirstName != "Ada" || u.State != "DE" || u.RoleID != "r9" || !u.Suspended || u.Awareness || u.OrganizationID != "o2" || u.Version != 2 || u.UpdatedAt != peopleAt+5 {
			t.Errorf("%+v", u)
		}
		if u.PasswordHash != "h" || u.Email != "a@b.example" {
			t.Errorf("an edit reaches password or address: %+v", u)
		}
		writePeople(t, s, func(tx *store.Tx) error {
			there, err := tx.LockUser(ctx, "nobody")
			if there {
				t.Error("nobody was locked")
			}
			return err
		})
	})
}

func TestMembers(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		people(t, s)
		ctx, r := t.Context(), s.Reader()
		key := func(id, userID string, expires, revoked fleet.Instant) fleet.Key {
			return fleet.Key{ID: id, OrganizationID: "o1", UserID: userID, Description: "d", Hash: []byte(id), Scopes: []string{"ingest"}, CreatedAt: peopleAt, ExpiresAt: expires, RevokedAt: revoked}
		}
		writePeople(t, s, func(tx *store.Tx) error {
			_, err := tx.InsertPasskey(ctx, store.Passkey{ID: "p1", UserID: "u2", Credential: "{}", CreatedAt: peopleAt})
			return errors.Join(err, tx.PutTOTP(ctx, store.TOTP{UserID: "u1", Secret: "x", ConfirmedAt: peopleAt}), tx.PutTOTP(ctx, store.TOTP{UserID: "u3", Secret: "x"}),
				tx.InsertKey(ctx, key("k1", "u1", 0, 0)), tx.InsertKey(ctx, key("k2", "u1", peopleAt+10, 0)), tx.InsertKey(ctx, key("k3", "u1", peopleAt, 0)),
				tx.InsertKey(ctx, key("k4", "u1", 0, peopleAt)), tx.InsertKey(ctx, key("k5", "", 0, 0)))
		})
		members, err := store.MembersOf(ctx, r, "o1", peopleAt)
		fine(t, err)
		if len(members) != 3 {
			t.Fatalf("%+v", members)
		}
		for i, want := range []struct {
			id               string
			factor, hasEntry bool
			keys             int64
		}{{"u1", true, true, 2}, {"u2", true, false, 0}, {"u3", false, true, 0}} {
			m := members[i]
			if m.ID != want.id || m.SecondFactor != want.factor || m.HasEntered != want.hasEntry || m.Keys != want.keys || m.OrganizationName != "Alpha" {
				t.Errorf("%+v, want %+v", m, want)
			}
		}
		if m, err := store.MemberByID(ctx, r, "u4", peopleAt); err != nil || m.OrganizationName != "Bravo" || m.Email != "d@b.example" {
			t.Errorf("%+v %v", m, err)
		}
		if _, err := store.MemberByID(ctx, r, "u5", peopleAt); !errors.Is(err, store.ErrNotFound) {
			t.Errorf("%v", err)
		}
		roles := func(organizationID, beside string) []string {
			out, err := store.RolesBeside(ctx, r, organizationID, beside)
			fine(t, err)
			slices.Sort(out)
			return out
		}
		if got := roles("o1", "u9"); !slices.Equal(got, []string{"r", "r3"}) { // u2 cannot sign in yet
			t.Errorf("roles %v", got)
		}
		if got := roles("o1", "u1"); !slices.Equal(got, []string{"r3"}) {
			t.Errorf("roles beside u1: %v", got)
		}
	})
}

func TestOrganizationsChangeAndGo(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		people(t, s)
		ctx, r := t.Context(), s.Reader()
		next := organization("o1", "Renamed")
		next.MFARequired, next.MFARequiredAt, next.SSOOnly, next.LockScreenMs = true, peopleAt+1, true, 60_000
		next.Large, next.State, next.TypeName, next.Version, next.UpdatedAt = nil, "DE", "fire", 2, peopleAt+1
		for _, want := range []bool{true, false} {
			writePeople(t, s, func(tx *store.Tx) error {
				stored, err := tx.UpdateOrganization(ctx, next, 1)
				if stored != want {
					t.Errorf("stored %v, want %v", stored, want)
				}
				return err
			})
		}
		o, err := store.OrganizationByID(ctx, r, "o1")
		fine(t, err)
		if o != next {
			t.Errorf("%+v, want %+v", o, next)
		}
		thing := &fleet.Thing{ID: "t1", OrganizationID: "o2", SystemName: "A-1", Version: 1, UpdatedAt: peopleAt}
		writePeople(t, s, func(tx *store.Tx) error {
			return errors.Join(tx.InsertThing(ctx, thing), tx.InsertOrganization(ctx, organization("o3", "Empty")),
				tx.PutOrganizationRelation(ctx, fleet.OrganizationRelation{OrganizationID: "o1", OtherID: "o3", Kind: "manager"}),
				tx.PutOrganizationRelation(ctx, fleet.OrganizationRelation{OrganizationID: "o3", OtherID: "o2", Kind: "accessor"}))
		})
		for id, want := range map[string][2]int64{"o1": {3, 0}, "o2": {1, 1}, "o3": {0, 0}} {
			if users, things, err := store.CountBelonging(ctx, r, id); err != nil || users != want[0] || things != want[1] {
				t.Errorf("%s: %d users, %d things, %v", id, users, things, err)
			}
		}
		if counts, err := store.CountUsersByOrganization(ctx, r); err != nil || counts["o1"] != 3 || counts["o2"] != 1 || counts["o3"] != 0 {
			t.Errorf("%v %v", counts, err)
		}
		writePeople(t, s, func(tx *store.Tx) error {
			there, err := tx.LockOrganization(ctx, "o3")
			gone, err2 := tx.DeleteOrganization(ctx, "o3", peopleAt+2)
			after, err3 := tx.LockOrganization(ctx, "o3")
			if !there || !gone || after {
				t.Errorf("locked %v, removed %v, locked after it %v", there, gone, after)
			}
			return errors.Join(err, err2, err3, tx.DeleteOrganizationRelations(ctx, "o3"))
		})
		for _, id := range []string{"o1", "o2", "o3"} {
			if related, err := store.RelationsOf(ctx, r, id); err != nil || len(related) != 0 {
				t.Errorf("%s: %v %v", id, related, err)
			}
		}
	})
}

func TestKeyRows(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		people(t, s)
		ctx, r := t.Context(), s.Reader()
		thing := &fleet.Thing{ID: "t1", OrganizationID: "o1", SystemName: "A-1", Nickname: "Engine 1", Version: 1, UpdatedAt: peopleAt}
		key := func(id, organizationID, userID, thingID string, made, revoked fleet.Instant) fleet.Key {
			return fleet.Key{ID: id, OrganizationID: organizationID, UserID: userID, ThingID: thingID, Description: "d", Hash: []byte(id), Prefix: "lb_key_abcd",
				Scopes: []string{"ingest"}, CreatedAt: made, RevokedAt: revoked}
		}
		writePeople(t, s, func(tx *store.Tx) error {
			return errors.Join(tx.InsertThing(ctx, thing), tx.InsertKey(ctx, key("k1", "o1", "u1", "t1", peopleAt, 0)), tx.InsertKey(ctx, key("k2", "o1", "", "", peopleAt+1, 0)),
				tx.InsertKey(ctx, key("k3", "o1", "u1", "", peopleAt+2, peopleAt+5)), tx.InsertKey(ctx, key("k4", "o1", "u1", "", peopleAt+3, peopleAt+6)),
				tx.InsertKey(ctx, key("k5", "o2", "u1", "", peopleAt+4, 0)))
		})
		rows, err := store.KeysOf(ctx, r, "o1", peopleAt+5)
		fine(t, err)
		var ids []string
		for _, k := range rows {
			ids = append(ids, k.ID)
			if len(k.Hash) != 0 {
				t.Errorf("%s: the hash was read", k.ID)
			}
		}
		if !slices.Equal(ids, []string{"k4", "k2", "k1"}) {
			t.Errorf("keys %v", ids)
		}
		if k, err := store.KeyRowByID(ctx, r, "k1"); err != nil || k.ThingName != "Engine 1" || k.UserName != "A B" || k.Prefix != "lb_key_abcd" || k.UserID != "u1" {
			t.Errorf("%+v %v", k, err)
		}
		if k, err := store.KeyRowByID(ctx, r, "k2"); err != nil || k.ThingName != "" || k.UserName != "" {
			t.Errorf("%+v %v", k, err)
		}
		for _, row := range []struct {
			user, organization string
			want               int64
		}{{"u1", "", 2}, {"u1", "", 0}, {"", "o1", 1}, {"", "o2", 0}} {
			writePeople(t, s, func(tx *store.Tx) error {
				n, err := tx.RevokeKeysOf(ctx, row.user, row.organization, peopleAt+9)
				if n != row.want {
					t.Errorf("%+v: %d revoked", row, n)
				}
				return err
			})
		}
	})
}
