package store_test

import (
	"errors"
	"testing"

	"lightbar/internal/fleet"
	"lightbar/internal/store"
	"lightbar/internal/store/storetest"
)

func TestFactorsOfAUser(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		ctx := t.Context()
		write := func(name string, run func(tx *store.Tx) error) {
			t.Helper()
			if err := s.Write(ctx, run); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
		}
		// is answers a statement that reports whether it hit.
		is := func(name string, want bool, run func(tx *store.Tx) (bool, error)) {
			t.Helper()
			write(name, func(tx *store.Tx) error {
				got, err := run(tx)
				if err == nil && got != want {
					t.Errorf("%s: %v", name, got)
				}
				return err
			})
		}
		has := func(name string, want bool) {
			t.Helper()
			if got, err := store.HasFactor(ctx, s.Reader(), "u1"); err != nil || got != want {
				t.Errorf("%s: %v %v", name, got, err)
			}
		}
		write("users", func(tx *store.Tx) error {
			return errors.Join(tx.InsertOrganization(ctx, fleet.Organization{ID: "o1", Name: "One", Timezone: "UTC", Version: 1}),
				tx.InsertUser(ctx, fleet.User{ID: "u1", OrganizationID: "o1", Email: "a@x.example", EmailKey: "a@x.example", RoleID: "r", Version: 1}),
				tx.InsertUser(ctx, fleet.User{ID: "u2", OrganizationID: "o1", Email: "b@x.example", EmailKey: "b@x.example", RoleID: "r", Version: 1}))
		})
		has("nothing yet", false)
		if _, err := store.TOTPOf(ctx, s.Reader(), "u1"); !errors.Is(err, store.ErrNotFound) {
			t.Errorf("no authenticator app: %v", err)
		}
		app := store.TOTP{UserID: "u1", Secret: "s1", ConfirmedAt: 5, LastStep: 7}
		write("old app", func(tx *store.Tx) error {
			return tx.PutTOTP(ctx, store.TOTP{UserID: "u1", Secret: "s0", ConfirmedAt: 1})
		})
		write("app", func(tx *store.Tx) error { return tx.PutTOTP(ctx, app) })
		has("an app", true)
		if got, err := store.TOTPOf(ctx, s.Reader(), "u1"); err != nil || got != app {
			t.Errorf("app: %+v %v", got, err)
		}
		is("a used step", false, func(tx *store.Tx) (bool, error) { return tx.UseTOTPStep(ctx, app, 7) })
		is("a new step", true, func(tx *store.Tx) (bool, error) { return tx.UseTOTPStep(ctx, app, 8) })
		is("the same again", false, func(tx *store.Tx) (bool, error) { return tx.UseTOTPStep(ctx, app, 8) })
		is("of an app that was replaced", false, func(tx *store.Tx) (bool, error) {
			return tx.UseTOTPStep(ctx, store.TOTP{UserID: "u1", Secret: "s0"}, 9)
		})
		is("remove", true, func(tx *store.Tx) (bool, error) { return tx.DeleteTOTP(ctx, "u1") })
		is("remove again", false, func(tx *store.Tx) (bool, error) { return tx.DeleteTOTP(ctx, "u1") })
		has("removed", false)

		key := store.Passkey{ID: "k1", UserID: "u1", Name: "Key", Credential: "{1}", CreatedAt: 3}
		is("passkey", true, func(tx *store.Tx) (bool, error) { return tx.InsertPasskey(ctx, key) })
		is("somebody else's", false, func(tx *store.Tx) (bool, error) {
			return tx.InsertPasskey(ctx, store.Passkey{ID: "k1", UserID: "u2", Name: "Key", Credential: "{2}"})
		})
		has("a passkey", true)
		is("use", true, func(tx *store.Tx) (bool, error) { return tx.UsePasskey(ctx, key, "{3}", 9) })
		is("use of what it was", false, func(tx *store.Tx) (bool, error) { return tx.UsePasskey(ctx, key, "{4}", 10) })
		if rows, err := store.PasskeysOf(ctx, s.Reader(), "u1"); err != nil || len(rows) != 1 || rows[0].Credential != "{3}" || rows[0].LastUsedAt != 9 {
			t.Errorf("passkeys: %+v %v", rows, err)
		}
		is("another user's removal", false, func(tx *store.Tx) (bool, error) { return tx.DeletePasskey(ctx, "k1", "u2") })
		is("removal", true, func(tx *store.Tx) (bool, error) { return tx.DeletePasskey(ctx, "k1", "u1") })
		is("a second", true, func(tx *store.Tx) (bool, error) { return tx.InsertPasskey(ctx, key) })
		write("all", func(tx *store.Tx) error { return tx.DeletePasskeysOf(ctx, "u1") })
		has("all removed", false)

		left := func(want int) {
			t.Helper()
			if n, err := store.RecoveryCodesLeft(ctx, s.Reader(), "u1"); err != nil || n != want {
				t.Errorf("%d codes left, want %d: %v", n, want, err)
			}
		}
		write("codes", func(tx *store.Tx) error { return tx.PutRecoveryCodes(ctx, "u1", []string{"a", "b", "c"}) })
		is("a code", true, func(tx *store.Tx) (bool, error) { return tx.UseRecoveryCode(ctx, "u1", "b", 4) })
		is("a used code", false, func(tx *store.Tx) (bool, error) { return tx.UseRecoveryCode(ctx, "u1", "b", 5) })
		is("another user's code", false, func(tx *store.Tx) (bool, error) { return tx.UseRecoveryCode(ctx, "u2", "a", 5) })
		left(2)
		write("new codes", func(tx *store.Tx) error { return tx.PutRecoveryCodes(ctx, "u1", []string{"d"}) })
		is("an old code", false, func(tx *store.Tx) (bool, error) { return tx.UseRecoveryCode(ctx, "u1", "a", 5) })
		left(1)
		write("no codes", func(tx *store.Tx) error { return tx.PutRecoveryCodes(ctx, "u1", nil) })
		left(0)
	})
}

func TestChallengesKeepWhatTheyNeed(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		ctx := t.Context()
		if err := s.Write(ctx, func(tx *store.Tx) error {
			return errors.Join(tx.InsertOneTime(ctx, store.OneTime{Hash: "h1", Purpose: "totp", UserID: "u1", CreatedAt: 1, ExpiresAt: 10, Payload: `{"a":1}`}),
				tx.InsertOneTime(ctx, store.OneTime{Hash: "h2", Purpose: "totp", UserID: "u1", CreatedAt: 2, ExpiresAt: 20, Payload: `{"a":2}`}),
				tx.InsertOneTime(ctx, store.OneTime{Hash: "h3", Purpose: "mfa", UserID: "u1", CreatedAt: 3, ExpiresAt: 5}))
		}); err != nil {
			t.Fatal(err)
		}
		if got, err := store.LatestOneTime(ctx, s.Reader(), "totp", "u1", 9); err != nil || got.Hash != "h2" || got.Payload != `{"a":2}` {
			t.Errorf("latest: %+v %v", got, err)
		}
		if _, err := store.LatestOneTime(ctx, s.Reader(), "totp", "u1", 20); !errors.Is(err, store.ErrNotFound) {
			t.Errorf("expired: %v", err)
		}
		if err := s.Write(ctx, func(tx *store.Tx) error { return tx.PurgeOneTimes(ctx, "totp", 11) }); err != nil {
			t.Fatal(err)
		}
		for hash, want := range map[string]error{"h1": store.ErrNotFound, "h2": nil} {
			if _, err := store.OneTimeByHash(ctx, s.Reader(), hash, "totp"); !errors.Is(err, want) {
				t.Errorf("%s: %v", hash, err)
			}
		}
		if _, err := store.OneTimeByHash(ctx, s.Reader(), "h3", "mfa"); err != nil {
			t.Errorf("another purpose: %v", err)
		}
	})
}

func TestSessionsOfAUser(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		ctx := t.Context()
		if err := s.Write(ctx, func(tx *store.Tx) error {
			return errors.Join(tx.InsertOrganization(ctx, fleet.Organization{ID: "o1", Name: "One", Timezone: "UTC", Version: 1}),
				tx.InsertUser(ctx, fleet.User{ID: "u1", OrganizationID: "o1", Email: "a@x.example", EmailKey: "a@x.example", RoleID: "r", Version: 1}),
				tx.InsertSession(ctx, fleet.Session{ID: "s1", UserID: "u1", OrganizationID: "o1", LastUsedAt: 5, Generation: 1, Method: "totp", VerifiedAt: 4}),
				tx.InsertSession(ctx, fleet.Session{ID: "s2", UserID: "u1", OrganizationID: "o1", LastUsedAt: 9, Generation: 1, Method: "password"}),
				tx.InsertSession(ctx, fleet.Session{ID: "s3", UserID: "u1", OrganizationID: "o1", LastUsedAt: 7, Generation: 1, RevokedAt: 8, Method: "password"}),
				tx.VerifySession(ctx, fleet.Session{ID: "s2", VerifiedAt: 11, AbsoluteAt: 12}),
				tx.VerifySession(ctx, fleet.Session{ID: "s3", VerifiedAt: 11, AbsoluteAt: 12}))
		}); err != nil {
			t.Fatal(err)
		}
		rows, err := store.SessionsOf(ctx, s.Reader(), "u1")
		if err != nil || len(rows) != 2 || rows[0].ID != "s2" || rows[1].Method != "totp" || rows[0].VerifiedAt != 11 || rows[0].AbsoluteAt != 12 {
			t.Errorf("sessions: %+v %v", rows, err)
		}
		if ended, err := store.SessionByID(ctx, s.Reader(), "s3"); err != nil || ended.VerifiedAt != 0 {
			t.Errorf("an ended session was verified: %+v %v", ended, err)
		}
	})
}
