package people_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"lightbar/internal/access"
	"lightbar/internal/fleet"
	"lightbar/internal/people"
	"lightbar/internal/store"
	"lightbar/internal/store/storetest"
	"lightbar/internal/testkit"
)

func numbered(i int) string { return fmt.Sprintf("Quiet+Marsh#%d otter", i) }

// The present password and the ten before it are refused, the eleventh before it is taken.
// spec: 5.password.05 9.limits.19 8.token.06
func TestPasswordHistory(t *testing.T) {
	p := newPosted(t)
	ctx, actor := t.Context(), p.Actor("viewer")
	current := testkit.Password // the first of all
	for i := range 11 {
		must(t, p.App.ChangePassword(ctx, actor, current, numbered(i)))
		current = numbered(i)
		p.Clock.Advance(time.Minute)
	}
	for _, i := range []int{10, 9, 5, 0} { // numbered(10) is the present one, numbered(0) the tenth before it
		r := refused(t, p.App.ChangePassword(ctx, actor, current, numbered(i)), "password_reused")
		if r.Message != "Cannot be same as last 10 passwords." {
			t.Errorf("%q", r.Message)
		}
	}
	must(t, p.App.ChangePassword(ctx, actor, current, testkit.Password)) // the eleventh before it
	if n, err := store.PasswordHistory(ctx, p.App.Store.Reader(), actor.UserID, 100); err != nil || len(n) != 10 {
		t.Errorf("%d passwords are remembered (%v)", len(n), err)
	}
}

func TestChangePassword(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		p := newPosted(t, testkit.WithStore(s))
		ctx := t.Context()
		here, elsewhere := p.SignIn("viewer").AccessToken, p.SignIn("viewer").AccessToken
		actor, err := p.App.Authenticate(ctx, here, "192.0.2.1")
		must(t, err)
		if _, err := p.App.Authenticate(ctx, elsewhere, "192.0.2.7"); err != nil { // now trusted for some seconds
			t.Fatal(err)
		}
		must(t, p.App.ForgotPassword(ctx, viewerEmail, caller()))
		link := p.one(t, "Reset your Safety Cloud password").token()
		refused(t, p.App.ChangePassword(ctx, actor, "Wrong*Heron7", nextPassword), "password_wrong")
		refused(t, p.App.ChangePassword(ctx, actor, testkit.Password, "weak"), "password_rules")
		must(t, p.App.ChangePassword(ctx, actor, testkit.Password, nextPassword))
		if _, err := p.App.Authenticate(ctx, here, ""); err != nil {
			t.Errorf("the own session ended: %v", err)
		}
		_, err = p.App.Authenticate(ctx, elsewhere, "")
		refused(t, err, "invalid_token")
		refused(t, p.App.ResetPassword(ctx, link, "Another#Heron8 at dusk", caller()), "reset_token_unknown") // it was for the old password
		if l := p.one(t, "password was changed"); l.To != viewerEmail {
			t.Errorf("%+v", l)
		}
		if got := p.signsIn(t, viewerEmail, nextPassword); got != "" || !p.hasAudit(t, "change_password") {
			t.Errorf("%q", got)
		}
		// An API key has no password.
		key, err := p.App.AuthenticateKey(ctx, p.Key, "")
		must(t, err)
		refused(t, p.App.ChangePassword(ctx, key, nextPassword, testkit.Password), "forbidden")
	})
}

// Whoever finds an open session cannot guess the password there.
func TestGuessesAtTheOwnPasswordAreCounted(t *testing.T) {
	p := newPosted(t)
	ctx, actor := t.Context(), p.Actor("viewer")
	for range 5 {
		refused(t, p.App.ChangePassword(ctx, actor, "Wrong*Heron7", nextPassword), "password_wrong")
	}
	r := refused(t, p.App.ChangePassword(ctx, actor, testkit.Password, nextPassword), "rate_limited")
	if r.RetryAfterS != 600 || !p.hasAudit(t, "change_password_refused") {
		t.Errorf("come again after %d s", r.RetryAfterS)
	}
	p.Clock.Advance(10 * time.Minute)
	must(t, p.App.ChangePassword(ctx, actor, testkit.Password, nextPassword))
}

// 90 days: sign-in asks for a new password, and the forgotten-password link gives one.
// spec: 4.auth.10 9.limits.19
func TestPasswordsExpire(t *testing.T) {
	p := newPosted(t)
	ctx := t.Context()
	p.Clock.Advance(90*24*time.Hour - time.Millisecond)
	if got := p.signsIn(t, viewerEmail, testkit.Password); got != "" {
		t.Fatalf("a moment before: %q", got)
	}
	p.Clock.Advance(time.Millisecond)
	if got := p.signsIn(t, viewerEmail, testkit.Password); got != "password_expired" {
		t.Fatalf("after 90 days: %q", got)
	}
	must(t, p.App.ForgotPassword(ctx, viewerEmail, caller()))
	must(t, p.App.ResetPassword(ctx, p.one(t, "Reset your Safety Cloud password").token(), nextPassword, caller()))
	if got := p.signsIn(t, viewerEmail, nextPassword); got != "" {
		t.Errorf("with the new one: %q", got)
	}
	p.App.Passwords = people.PasswordsNIST
	p.Clock.Advance(100 * 24 * time.Hour)
	if got := p.signsIn(t, viewerEmail, nextPassword); got != "" {
		t.Errorf("under NIST's profile: %q", got)
	}
}

// One letter, 14 days before; another one only for another password.
func TestExpiringPasswordsAreTold(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		p := newPosted(t, testkit.WithStore(s))
		ctx := t.Context()
		must(t, p.App.Store.Write(ctx, func(tx *store.Tx) error {
			_, err := tx.ExecContext(ctx, "UPDATE app_user SET suspended = TRUE WHERE email_key = 'operator@demo.example'")
			return err
		}))
		invited, err := p.App.CreateUser(ctx, p.Actor("administrator"), invitee(t)) // no password yet
		must(t, err)
		p.letters(t)
		tell := func() map[string]int {
			must(t, p.App.NoticePasswords(ctx))
			must(t, p.App.NoticePasswords(ctx))
			told := map[string]int{}
			for _, l := range p.letters(t) {
				if !strings.Contains(l.Subject, "expires soon") || !strings.Contains(l.Text, "/welcome/forgot") {
					t.Errorf("%+v", l)
				}
				told[l.To]++
			}
			return told
		}
		p.Clock.Advance(76*24*time.Hour - time.Millisecond)
		if told := tell(); len(told) != 0 {
			t.Fatalf("too early: %v", told)
		}
		p.Clock.Advance(time.Millisecond)
		told := tell()
		if len(told) != len(p.Users)-1 || told[viewerEmail] != 1 || told["operator@demo.example"] != 0 || told[invited.Email] != 0 {
			t.Fatalf("told %v", told)
		}
		must(t, p.App.SetUserPassword(ctx, access.System(), viewerEmail, nextPassword))
		p.letters(t)
		p.Clock.Advance(13 * 24 * time.Hour)
		if told := tell(); len(told) != 0 {
			t.Errorf("told twice: %v", told)
		}
		p.Clock.Advance(63 * 24 * time.Hour)
		if told := tell(); len(told) != 1 || told[viewerEmail] != 1 {
			t.Errorf("the new password: %v", told)
		}
		p.App.Passwords = people.PasswordsNIST
		must(t, p.App.SetUserPassword(ctx, access.System(), viewerEmail, "another marsh without signs"))
		p.letters(t)
		p.Clock.Advance(80 * 24 * time.Hour)
		if told := tell(); len(told) != 0 {
			t.Errorf("under NIST's profile: %v", told)
		}
	})
}

// spec: D.password.01 D.password.06
func TestPasswordProfiles(t *testing.T) {
	p := newPosted(t)
	ctx := t.Context()
	set := func(password string) string {
		return codeOf(t, p.App.SetUserPassword(ctx, access.System(), viewerEmail, password))
	}
	long64, long200 := strings.Repeat("aB3*tide", 8), strings.Repeat("aB3*tide moon ", 15)[:200]
	for password, want := range map[string][2]string{ // specified, nist
		"Quiet+Marsh#4 otter":     {"", ""},
		"Quiet+Marsh#4":           {"", "password_rules"}, // 13 characters
		"quiet marsh with otters": {"password_rules", ""},
		"🚒🦦🌊🐚🪸⛵🌙🌾 Marsh 4*":       {"", ""},
		"🚒🦦🌊🐚🪸⛵🌙🌾🌞🪶🦢🐟🦀🐢🌿": {"password_rules", ""},
		long64:                          {"", ""},
		long200:                         {"", ""},
		"Password1!":                    {"password_common", "password_rules"},
		"passwordpassword":              {"password_rules", "password_common"},
		"aaaaaaaaaaaaaaaaaaaa":          {"password_rules", "password_common"},
		strings.Repeat("aB3*tide", 129): {"password_rules", "password_rules"}, // 1032 bytes
		"123456789012345":               {"password_rules", "password_common"},
	} {
		p.App.Passwords = people.PasswordsSpecified
		if got := set(password); got != want[0] {
			t.Errorf("specified, %q: %q, want %q", password, got, want[0])
		}
		if want[0] == "" && len(password) < 1024 {
			if got := p.signsIn(t, viewerEmail, password); got != "" {
				t.Errorf("%q does not sign in: %q", password, got)
			}
		}
		p.App.Passwords = people.PasswordsNIST
		if got := set(password); got != want[1] {
			t.Errorf("nist, %q: %q, want %q", password, got, want[1])
		}
	}
	u, err := store.UserByEmailKey(ctx, p.App.Store.Reader(), viewerEmail)
	must(t, err)
	if !strings.HasPrefix(u.PasswordHash, "$argon2id$v=19$m=19456,t=2,p=1$") {
		t.Errorf("hash %s", u.PasswordHash)
	}
	// Under NIST's profile only the present password is refused as used.
	actor := p.Actor("operator")
	must(t, p.App.ChangePassword(ctx, actor, testkit.Password, "first marsh without signs"))
	refused(t, p.App.ChangePassword(ctx, actor, "first marsh without signs", "first marsh without signs"), "password_reused")
	must(t, p.App.ChangePassword(ctx, actor, "first marsh without signs", "second marsh without signs"))
	must(t, p.App.ChangePassword(ctx, actor, "second marsh without signs", "first marsh without signs"))
}

// A person signed in by the provider of the organization has no password to be told of.
func TestNoNoticeWhereTheProviderSignsIn(t *testing.T) {
	p := newPosted(t)
	ctx := t.Context()
	must(t, p.App.Store.Write(ctx, func(tx *store.Tx) error {
		_, err := tx.ExecContext(ctx, "UPDATE organization SET sso_only = TRUE WHERE id = $1", p.Own.ID)
		if err == nil {
			_, err = tx.ExecContext(ctx, "UPDATE app_user SET break_glass = TRUE WHERE email_key = $1", viewerEmail)
		}
		return err
	}))
	p.Clock.Advance(80 * 24 * time.Hour)
	must(t, p.App.NoticePasswords(ctx))
	told := map[string]bool{}
	for _, l := range p.letters(t) {
		told[l.To] = true
	}
	if len(told) != 2 || !told[viewerEmail] || !told["outsider@demo.example"] {
		t.Errorf("told %v", told)
	}
	if u, err := store.UserByID(ctx, p.App.Store.Reader(), p.Users["operator"].ID); err != nil || u.PasswordNoticeAt != fleet.InstantOf(p.Clock.Now()) {
		t.Errorf("looked at again and again: %+v %v", u, err)
	}
}
