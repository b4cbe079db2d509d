package store_test

import (
	"errors"
	"testing"

	"lightbar/internal/fleet"
	"lightbar/internal/store"
	"lightbar/internal/store/storetest"
)

const peopleAt = fleet.Instant(1_800_000_000_000)

func fine(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func writePeople(t *testing.T, s *store.Store, fn func(tx *store.Tx) error) {
	t.Helper()
	fine(t, s.Write(t.Context(), fn))
}

func organization(id, name string) fleet.Organization {
	large := true
	return fleet.Organization{ID: id, Name: name, Email: "e", Timezone: "UTC", TypeName: "fleet", ACS: true, InfiniteTimeout: true, WZDx: true, Large: &large,
		HasPosition: true, Lat: 39.75, Lng: -75.5, CountryCode: "US", EventWording: "default", Version: 1, UpdatedAt: peopleAt}
}

func user(id, organizationID, email string) fleet.User {
	return fleet.User{ID: id, OrganizationID: organizationID, Email: email, EmailKey: email, FirstName: "A", LastName: "B", RoleID: "r", PasswordHash: "h",
		PasswordChangedAt: peopleAt, Awareness: true, Version: 1, UpdatedAt: peopleAt}
}

func TestOrganizations(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		ctx, bare := t.Context(), organization("o2", "Bare")
		bare.Large, bare.HasPosition, bare.Lat, bare.Lng = nil, false, 0, 0
		gone := organization("o3", "Gone")
		gone.DeletedAt = peopleAt
		writePeople(t, s, func(tx *store.Tx) error {
			return errors.Join(tx.InsertOrganization(ctx, organization("o1", "Alpha")), tx.InsertOrganization(ctx, bare), tx.InsertOrganization(ctx, gone),
				tx.PutOrganizationRelation(ctx, fleet.OrganizationRelation{OrganizationID: "o1", OtherID: "o2", Kind: "accessor"}),
				tx.PutOrganizationRelation(ctx, fleet.OrganizationRelation{OrganizationID: "o1", OtherID: "o2", Kind: "manager"}),
				tx.PutOrganizationRelation(ctx, fleet.OrganizationRelation{OrganizationID: "o3", OtherID: "o2", Kind: "manager"}))
		})
		o, err := store.OrganizationByID(ctx, s.Reader(), "o1")
		fine(t, err)
		if want := organization("o1", "Alpha"); o.Large == nil || !*o.Large || o.Lat != want.Lat || !o.HasPosition || o.Name != want.Name || !o.ACS || o.UpdatedAt != peopleAt {
			t.Errorf("%+v", o)
		}
		if o, err := store.OrganizationByID(ctx, s.Reader(), "o2"); err != nil || o.Large != nil || o.HasPosition {
			t.Errorf("%+v %v", o, err)
		}
		if _, err := store.OrganizationByID(ctx, s.Reader(), "x"); !errors.Is(err, store.ErrNotFound) {
			t.Errorf("%v", err)
		}
		list, err := store.ListOrganizations(ctx, s.Reader())
		fine(t, err)
		if len(list) != 2 || list[0].ID != "o1" {
			t.Errorf("list %+v", list)
		}
		relations, err := store.RelationsOf(ctx, s.Reader(), "o2")
		fine(t, err)
		if len(relations) != 1 || relations[0].Kind != "manager" {
			t.Errorf("relations %+v", relations)
		}
		writePeople(t, s, func(tx *store.Tx) error { return tx.DeleteOrganizationRelation(ctx, "o1", "o2") })
		if relations, err := store.RelationsOf(ctx, s.Reader(), "o1"); err != nil || len(relations) != 0 {
			t.Errorf("%+v %v", relations, err)
		}
	})
}

func TestUsersAndSessions(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		ctx, r := t.Context(), s.Reader()
		session := fleet.Session{ID: "s1", UserID: "u1", OrganizationID: "o1", CreatedAt: peopleAt, LastUsedAt: peopleAt, AbsoluteAt: peopleAt + 9, Generation: 1, RotatedAt: peopleAt, Network: "n", UserAgent: "a"}
		writePeople(t, s, func(tx *store.Tx) error {
			return errors.Join(tx.InsertOrganization(ctx, organization("o1", "Alpha")), tx.InsertUser(ctx, user("u1", "o1", "a@b.example")), tx.InsertSession(ctx, session),
				tx.InsertSessionToken(ctx, store.SessionToken{Hash: "h1", SessionID: "s1", Kind: "access", Generation: 1, ExpiresAt: peopleAt + 5}))
		})
		if n, err := store.CountUsers(ctx, r); n != 1 || err != nil {
			t.Errorf("%d %v", n, err)
		}
		if err := s.Write(ctx, func(tx *store.Tx) error { return tx.InsertUser(ctx, user("u2", "o1", "a@b.example")) }); err == nil {
			t.Error("an address stands twice")
		}
		writePeople(t, s, func(tx *store.Tx) error {
			return errors.Join(tx.NoteSignIn(ctx, "u1", peopleAt+1), tx.SetUserPassword(ctx, "u1", "h2", peopleAt+2), tx.RehashUserPassword(ctx, "u1", "h3", "other"),
				tx.RehashUserPassword(ctx, "u1", "h4", "h2"))
		})
		u, err := store.UserByEmailKey(ctx, r, "a@b.example")
		fine(t, err)
		if u.SignInCount != 1 || u.LastSignInAt != peopleAt+1 || u.PasswordHash != "h4" || u.PasswordChangedAt != peopleAt+2 || u.Version != 2 {
			t.Errorf("%+v", u)
		}
		if _, err := store.UserByID(ctx, r, "x"); !errors.Is(err, store.ErrNotFound) {
			t.Errorf("%v", err)
		}
		token, err := store.SessionTokenByHash(ctx, r, "h1")
		fine(t, err)
		if token.SessionID != "s1" || token.ExpiresAt != peopleAt+5 {
			t.Errorf("%+v", token)
		}
		next := session
		next.Generation, next.RotatedAt, next.LastUsedAt, next.Awareness, next.AbsoluteAt = 2, peopleAt+1, peopleAt+1, true, 0
		for _, want := range []bool{true, false} { // the second finds that somebody was faster
			writePeople(t, s, func(tx *store.Tx) error {
				rotated, err := tx.RotateSession(ctx, next, 1)
				if rotated != want {
					t.Errorf("rotated %v, want %v", rotated, want)
				}
				return err
			})
		}
		writePeople(t, s, func(tx *store.Tx) error { return tx.TouchSession(ctx, "s1", 2, peopleAt+3, true) })
		got, err := store.SessionByID(ctx, r, "s1")
		fine(t, err)
		next.LastUsedAt, next.SuccessorOn = peopleAt+3, true
		if got != next {
			t.Errorf("%+v\n%+v", got, next)
		}
		if ids, err := store.LiveSessionsOf(ctx, r, "u1"); err != nil || len(ids) != 1 {
			t.Errorf("%v %v", ids, err)
		}
		for _, want := range []bool{true, false} {
			writePeople(t, s, func(tx *store.Tx) error {
				ended, err := tx.EndSession(ctx, "s1", peopleAt+4, "signed out")
				if ended != want {
					t.Errorf("ended %v, want %v", ended, want)
				}
				return err
			})
		}
		writePeople(t, s, func(tx *store.Tx) error {
			next.Generation = 3
			rotated, err := tx.RotateSession(ctx, next, 2)
			if rotated {
				t.Error("an ended family rotates")
			}
			return errors.Join(err, tx.PurgeSessionTokens(ctx, peopleAt+6))
		})
		if _, err := store.SessionTokenByHash(ctx, r, "h1"); !errors.Is(err, store.ErrNotFound) {
			t.Errorf("%v", err)
		}
	})
}

func TestAttemptsDevicesAndOneTimes(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		ctx, r := t.Context(), s.Reader()
		writePeople(t, s, func(tx *store.Tx) error {
			return errors.Join(tx.InsertOrganization(ctx, organization("o1", "Alpha")), tx.InsertUser(ctx, user("u1", "o1", "a@b.example")),
				tx.InsertAttempt(ctx, "a", "n1", peopleAt, "1"), tx.InsertAttempt(ctx, "a", "n2", peopleAt+1, "2"), tx.InsertAttempt(ctx, "b", "n1", peopleAt+2, "3"),
				tx.InsertKnownDevice(ctx, "d", "u1", peopleAt), tx.InsertKnownDevice(ctx, "d", "u1", peopleAt),
				tx.InsertOneTime(ctx, store.OneTime{Hash: "h1", Purpose: "setup", CreatedAt: peopleAt, ExpiresAt: peopleAt + 10}),
				tx.InsertOneTime(ctx, store.OneTime{Hash: "h2", Purpose: "unlock", UserID: "u1", CreatedAt: peopleAt, ExpiresAt: peopleAt + 10}))
		})
		rows, err := store.AttemptsSince(ctx, r, "a", peopleAt-1)
		fine(t, err)
		if len(rows) != 2 || rows[0].Network != "n2" {
			t.Errorf("%+v", rows)
		}
		writePeople(t, s, func(tx *store.Tx) error {
			return errors.Join(tx.ClearAttempts(ctx, "a", "n1"), tx.PurgeAttempts(ctx, peopleAt+2))
		})
		if rows, err := store.AttemptsSince(ctx, r, "a", 0); err != nil || len(rows) != 0 {
			t.Errorf("%+v %v", rows, err)
		}
		writePeople(t, s, func(tx *store.Tx) error { return tx.ClearAccountAttempts(ctx, "b") })
		if rows, err := store.AttemptsSince(ctx, r, "b", 0); err != nil || len(rows) != 0 {
			t.Errorf("%+v %v", rows, err)
		}
		for _, row := range []struct {
			hash, user string
			after      fleet.Instant
			want       bool
		}{{"d", "u1", peopleAt - 1, true}, {"d", "u2", peopleAt - 1, false}, {"d", "u1", peopleAt, false}, {"x", "u1", 0, false}} {
			if known, err := store.IsKnownDevice(ctx, r, row.hash, row.user, row.after); known != row.want || err != nil {
				t.Errorf("%+v: %v %v", row, known, err)
			}
		}
		use := func(hash, purpose string, when fleet.Instant) (used bool) {
			writePeople(t, s, func(tx *store.Tx) (err error) { used, err = tx.UseOneTime(ctx, hash, purpose, when); return err })
			return used
		}
		if use("h1", "unlock", peopleAt) || use("h1", "setup", peopleAt+10) || !use("h1", "setup", peopleAt+9) || use("h1", "setup", peopleAt+9) {
			t.Error("a one-time secret works for another purpose, too late, or twice")
		}
		writePeople(t, s, func(tx *store.Tx) error { return tx.DropOneTimes(ctx, "unlock", "u1", peopleAt+1) })
		if use("h2", "unlock", peopleAt+2) {
			t.Error("a dropped secret works")
		}
		if o, err := store.OneTimeByHash(ctx, r, "h2", "unlock"); err != nil || o.UsedAt != peopleAt+1 || o.UserID != "u1" {
			t.Errorf("%+v %v", o, err)
		}
	})
}

func TestKeysSettingsAnswersAndAudit(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		ctx, r := t.Context(), s.Reader()
		key := fleet.Key{ID: "k1", OrganizationID: "o1", UserID: "u1", Description: "d", Hash: []byte{1, 2}, Prefix: "p", Scopes: []string{"ingest"}, CreatedAt: peopleAt}
		writePeople(t, s, func(tx *store.Tx) error {
			return errors.Join(tx.InsertOrganization(ctx, organization("o1", "Alpha")), tx.InsertKey(ctx, key), tx.TouchKey(ctx, "k1", peopleAt+1),
				tx.PutSetting(ctx, "brand.name", "A"), tx.PutSetting(ctx, "brand.name", "B"), tx.PutSetting(ctx, "brandy", "C"),
				tx.PutAnswer(ctx, store.Answer{Key: "a", ActorID: "u", Digest: "d", Status: 200, Body: "{}", At: peopleAt}),
				tx.InsertAudit(ctx, fleet.AuditRow{ID: "r1", At: peopleAt, OrganizationID: "o1", Verb: "v", Noun: "n", After: []byte(`{"x":1}`)}),
				tx.AddRefusals(ctx, []store.RefusalCount{{Minute: 1, Network: "n", Code: "c", Count: 2}}),
				tx.AddRefusals(ctx, []store.RefusalCount{{Minute: 1, Network: "n", Code: "c", Count: 3}}))
		})
		got, err := store.KeyByHash(ctx, r, []byte{1, 2})
		fine(t, err)
		if got.ID != "k1" || got.LastUsedAt != peopleAt+1 || len(got.Hash) != 2 {
			t.Errorf("%+v", got)
		}
		if n, err := store.CountKeysOf(ctx, r, "u1", peopleAt); n != 1 || err != nil {
			t.Errorf("%d %v", n, err)
		}
		writePeople(t, s, func(tx *store.Tx) error {
			first, err := tx.RevokeKey(ctx, "k1", peopleAt+2)
			second, err2 := tx.RevokeKey(ctx, "k1", peopleAt+3)
			if !first || second {
				t.Errorf("revoked %v, %v", first, second)
			}
			return errors.Join(err, err2)
		})
		if k, err := store.KeyByID(ctx, r, "k1"); err != nil || k.RevokedAt != peopleAt+2 {
			t.Errorf("%+v %v", k, err)
		}
		if v, err := store.Setting(ctx, r, "brand.name"); v != "B" || err != nil {
			t.Errorf("%q %v", v, err)
		}
		if _, err := store.Setting(ctx, r, "none"); !errors.Is(err, store.ErrNotFound) {
			t.Errorf("%v", err)
		}
		if all, err := store.Settings(ctx, r, "brand."); err != nil || len(all) != 1 {
			t.Errorf("%v %v", all, err)
		}
		if a, err := store.AnswerByKey(ctx, r, "a", peopleAt-1); err != nil || a.Status != 200 || a.Body != "{}" {
			t.Errorf("%+v %v", a, err)
		}
		if _, err := store.AnswerByKey(ctx, r, "a", peopleAt); !errors.Is(err, store.ErrNotFound) {
			t.Errorf("%v", err)
		}
		writePeople(t, s, func(tx *store.Tx) error { return tx.PurgeAnswers(ctx, peopleAt+1) })
		if _, err := store.AnswerByKey(ctx, r, "a", 0); !errors.Is(err, store.ErrNotFound) {
			t.Errorf("%v", err)
		}
		if rows, err := store.ListAudit(ctx, r, "o1", peopleAt, 10); err != nil || len(rows) != 1 || string(rows[0].After) != `{"x":1}` {
			t.Errorf("%+v %v", rows, err)
		}
		if rows, err := store.ListRefusals(ctx, r, 0); err != nil || len(rows) != 1 || rows[0].Count != 5 {
			t.Errorf("%+v %v", rows, err)
		}
		if _, err := store.OrganizationOfThing(ctx, r, "x"); !errors.Is(err, store.ErrNotFound) {
			t.Errorf("%v", err)
		}
	})
}
