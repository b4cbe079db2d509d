package people_test

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"lightbar/internal/api"
	"lightbar/internal/fleet"
	"lightbar/internal/people"
	"lightbar/internal/store"
	"lightbar/internal/store/storetest"
	"lightbar/internal/testkit"
	"lightbar/internal/wire"
)

const (
	nextPassword = "Quiet+Marsh#4 otter"
	viewerEmail  = "viewer@demo.example"
)

// The whole way: forgotten, mailed, chosen; all sessions end, a letter tells the
// user, nobody is signed in, the link works once.
// spec: 7.auth.05 7.auth.06 8.token.05
func TestResetByMail(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		p := newPosted(t, testkit.WithStore(s))
		ctx := t.Context()
		session := p.Actor("viewer")
		token := p.SignIn("viewer").AccessToken
		must(t, p.App.ForgotPassword(ctx, viewerEmail, caller()))
		link := p.one(t, "Reset your Safety Cloud password").token()
		for _, weak := range []string{"short1A", "lowercase only*1", "Password1!"} {
			if err := p.App.ResetPassword(ctx, link, weak, caller()); err == nil {
				t.Errorf("%q was taken", weak)
			}
		}
		refused(t, p.App.ResetPassword(ctx, link, testkit.Password, caller()), "password_reused") // the present one; the link still works
		must(t, p.App.ResetPassword(ctx, link, nextPassword, caller()))
		refused(t, p.App.ResetPassword(ctx, link, "Another#Heron8 at dusk", caller()), "reset_token_unknown")
		if got := p.signsIn(t, viewerEmail, testkit.Password); got != "invalid_grant" {
			t.Errorf("the old password: %q", got)
		}
		if got := p.signsIn(t, viewerEmail, nextPassword); got != "" {
			t.Errorf("the new password: %q", got)
		}
		_, err := p.App.Authenticate(ctx, token, "192.0.2.1")
		refused(t, err, "invalid_token")
		if row, err := store.SessionByID(ctx, s.Reader(), session.SessionID); err != nil || row.RevokedAt == 0 {
			t.Errorf("a session lives on: %+v %v", row, err)
		}
		told := p.one(t, "password was changed")
		if told.link() != "" || strings.Contains(told.Text, "lb_") || !p.hasAudit(t, "reset_requested") || !p.hasAudit(t, "reset_password") {
			t.Errorf("letter %+v", told)
		}
	})
}

// The newest link kills the older ones, and a letter that had not left yet is not sent.
func TestTheNewestLinkCounts(t *testing.T) {
	p := newPosted(t)
	ctx := t.Context()
	must(t, p.App.ForgotPassword(ctx, viewerEmail, caller()))
	old := p.one(t, "Reset your Safety Cloud password").token()
	must(t, p.App.ForgotPassword(ctx, viewerEmail, caller())) // waits in the outbox …
	must(t, p.App.ForgotPassword(ctx, viewerEmail, caller())) // … and is overtaken
	link := p.one(t, "Reset your Safety Cloud password").token()
	refused(t, p.App.ResetPassword(ctx, old, nextPassword, caller()), "reset_token_unknown")
	must(t, p.App.ResetPassword(ctx, link, nextPassword, caller()))
}

// spec: 8.token.04 8.token.07
func TestLinksThatDoNotWorkChangeNothing(t *testing.T) {
	p := newPosted(t)
	ctx := t.Context()
	must(t, p.App.ForgotPassword(ctx, viewerEmail, caller()))
	link := p.one(t, "Reset your Safety Cloud password").token()
	before, err := store.UserByID(ctx, p.App.Store.Reader(), p.Users["viewer"].ID)
	must(t, err)
	for _, forged := range []string{"", "lb_rst_", "lb_rst_x", strings.Replace(link, "lb_rst_", "lb_inv_", 1), link + "0", link[:len(link)-1], strings.ToUpper(link), "lb_at_" + link[7:]} {
		refused(t, p.App.ResetPassword(ctx, forged, nextPassword, caller()), "reset_token_unknown")
	}
	p.Clock.Advance(30*time.Minute - time.Millisecond)
	refused(t, p.App.ResetPassword(ctx, link, testkit.Password, caller()), "password_reused") // until the last moment
	p.Clock.Advance(time.Millisecond)
	refused(t, p.App.ResetPassword(ctx, link, nextPassword, caller()), "reset_token_expired")
	if after, err := store.UserByID(ctx, p.App.Store.Reader(), before.ID); err != nil || after != before {
		t.Errorf("changed: %+v %v", after, err)
	}
	suspended := p.AddUser("gone@demo.example", p.Own.ID, "viewer")
	must(t, p.App.ForgotPassword(ctx, suspended.Email, caller()))
	link = p.one(t, "Reset your Safety Cloud password").token()
	suspended.Suspended = true
	must(t, p.App.Store.Write(ctx, func(tx *store.Tx) error {
		_, err := tx.ExecContext(ctx, "UPDATE app_user SET suspended = TRUE WHERE id = $1", suspended.ID)
		return err
	}))
	r := refused(t, p.App.ResetPassword(ctx, link, nextPassword, caller()), "user_suspended")
	if r.Message != "User is suspended. Please contact support" {
		t.Errorf("%q", r.Message)
	}
}

// Each token works at its one place.
func TestLinksHaveOnePurpose(t *testing.T) {
	p := newPosted(t)
	ctx := t.Context()
	tokens := map[string]string{}
	must(t, p.App.ForgotPassword(ctx, viewerEmail, caller()))
	tokens["reset"] = p.one(t, "Reset your Safety Cloud password").token()
	must(t, p.App.UnlockAccount(ctx, viewerEmail, caller()))
	tokens["unlock"] = p.one(t, "Unlock").token()
	_, err := p.App.CreateUser(ctx, p.Actor("administrator"), invitee(t))
	must(t, err)
	tokens["invitation"] = p.one(t, "Your Safety Cloud account").token()
	pair := p.SignIn("operator")
	tokens["access"], tokens["refresh"], tokens["key"] = pair.AccessToken, pair.RefreshToken, p.Key
	for kind, token := range tokens {
		if kind != "reset" {
			refused(t, p.App.ResetPassword(ctx, token, nextPassword, caller()), "reset_token_unknown")
		}
		if kind != "invitation" {
			refused(t, p.App.AcceptInvitation(ctx, token, nextPassword, caller()), "invitation_expired")
		}
		if kind != "access" {
			_, err := p.App.Authenticate(ctx, token, "")
			refused(t, err, "invalid_token")
		}
		if kind != "refresh" {
			_, err := p.App.Refresh(ctx, token, nil, caller())
			refused(t, err, "token_not_verified")
		}
		if kind != "key" {
			_, err := p.App.AuthenticateKey(ctx, token, "")
			refused(t, err, "invalid_key")
		}
		refused(t, p.App.SetupOpen(ctx, token), "setup_link_expired")
	}
	// After all that the real ones still work.
	must(t, p.App.ResetPassword(ctx, tokens["reset"], nextPassword, caller()))
	must(t, p.App.AcceptInvitation(ctx, tokens["invitation"], nextPassword, caller()))
	if _, err := p.App.Authenticate(ctx, tokens["access"], ""); err != nil {
		t.Error(err)
	}
}

// spec: 2.pub.09 7.auth.07 D.password.03
func TestUnlockByMail(t *testing.T) {
	p := newPosted(t)
	ctx := t.Context()
	for range 5 {
		p.signsIn(t, viewerEmail, "Wrong*Heron7")
	}
	if got := p.signsIn(t, viewerEmail, testkit.Password); got != "locked_out" {
		t.Fatalf("%q", got)
	}
	must(t, p.App.UnlockAccount(ctx, viewerEmail, caller()))
	l := p.one(t, "Unlock your Safety Cloud account")
	if !strings.HasPrefix(l.link(), "/welcome/unlock/viewer@demo.example#lb_unl_") {
		t.Errorf("link %s", l.link())
	}
	try := func(email, token string) string {
		_, err := p.App.SignIn(ctx, people.SignIn{Email: email, Password: testkit.Password, UnlockToken: token, Caller: caller()})
		return codeOf(t, err)
	}
	for range 5 {
		p.signsIn(t, "operator@demo.example", "Wrong*Heron7")
	}
	if got := try("operator@demo.example", l.token()); got != "locked_out" {
		t.Errorf("somebody else's link: %q", got)
	}
	if p.hasAudit(t, "unlock_account") {
		t.Error("a link that unlocks nothing is audited as if it did")
	}
	if got := try(viewerEmail, l.token()); got != "" {
		t.Errorf("the own link: %q", got)
	}
	for range 5 {
		p.signsIn(t, viewerEmail, "Wrong*Heron7")
	}
	if got := try(viewerEmail, l.token()); got != "locked_out" {
		t.Errorf("a used link: %q", got)
	}
	rows, err := store.ListAudit(ctx, p.App.Store.Reader(), p.Own.ID, 0, 1000)
	must(t, err)
	rows = slices.DeleteFunc(rows, func(r fleet.AuditRow) bool { return r.Verb != "unlock_account" })
	if len(rows) != 1 || rows[0].NounID != p.Users["viewer"].ID || rows[0].ActorUserID != rows[0].NounID || rows[0].Network != caller().Network {
		t.Errorf("the use of a link in the audit: %+v", rows)
	}
}

// At most 3 letters an hour for an account, 10 for a network, unknown addresses alike.
// spec: D.password.05
func TestLettersAreLimited(t *testing.T) {
	p := newPosted(t)
	ctx := t.Context()
	for range 3 {
		must(t, p.App.ForgotPassword(ctx, viewerEmail, caller()))
	}
	r := refused(t, p.App.ForgotPassword(ctx, "VIEWER@demo.example", people.Caller{Network: "203.0.113.9"}), "rate_limited")
	if r.RetryAfterS != 3601 {
		t.Errorf("come again after %d s", r.RetryAfterS)
	}
	must(t, p.App.UnlockAccount(ctx, viewerEmail, caller())) // another purpose has its own share
	for i := range 6 {
		refused(t, p.App.ForgotPassword(ctx, fmt.Sprintf("nobody%d@demo.example", i), caller()), "user_not_known")
	}
	refused(t, p.App.ForgotPassword(ctx, "operator@demo.example", people.Caller{Network: "192.0.2.200"}), "rate_limited") // the same /24
	must(t, p.App.ForgotPassword(ctx, "operator@demo.example", people.Caller{Network: "203.0.113.9"}))
	if n := len(p.letters(t)); n != 3 { // the newest reset, the unlock, the operator's: the others were overtaken
		t.Errorf("%d letters", n)
	}
	p.Clock.Advance(time.Hour)
	must(t, p.App.ForgotPassword(ctx, viewerEmail, caller()))
	p.one(t, "Reset your Safety Cloud password")
}

// Where it is hidden whether an account exists, both cost the same work and leave nothing to tell them apart.
// spec: D.password.04 D.password.05
func TestUnknownAddressesCanBeHidden(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		p := newPosted(t, testkit.WithStore(s))
		ctx := t.Context()
		refused(t, p.App.ForgotPassword(ctx, "nobody@demo.example", caller()), "user_not_known")
		p.App.HideUnknownEmail = true
		must(t, p.App.ForgotPassword(ctx, "nobody@demo.example", caller()))
		must(t, p.App.UnlockAccount(ctx, "nobody@demo.example", caller()))
		must(t, p.App.ForgotPassword(ctx, "nobody@demo.example", caller()))
		refused(t, p.App.ForgotPassword(ctx, "nobody@demo.example", caller()), "rate_limited")
		if l := p.letters(t); len(l) != 0 {
			t.Errorf("letters to nobody: %+v", l)
		}
		if facts, err := store.MailNumbers(ctx, s.Reader()); err != nil || facts.Waiting != 0 || facts.Failed != 0 {
			t.Errorf("%+v %v", facts, err)
		}
		if _, err := store.LatestOneTime(ctx, s.Reader(), "reset", "", 0); err == nil {
			t.Error("a token of nobody is left")
		}
		refused(t, p.App.ForgotPassword(ctx, "not an address", caller()), "validation_failed")
	})
}

// Where the provider signs people in a password opens nothing: no letter offers
// one, and no link that was mailed before sets one. Break-glass users are exempt.
func TestNoLettersAboutPasswordsWhereTheProviderSignsIn(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		p := newPosted(t, testkit.WithStore(s))
		ctx, administrator := t.Context(), p.Actor("administrator")
		must(t, p.App.ForgotPassword(ctx, viewerEmail, caller()))
		reset := p.one(t, "Reset your Safety Cloud password").token()
		_, err := p.App.CreateUser(ctx, administrator, invitee(t))
		must(t, err)
		invitation := p.one(t, "Your Safety Cloud account").token()
		set := func(text string, values ...any) {
			must(t, s.Write(ctx, func(tx *store.Tx) error { _, err := tx.ExecContext(ctx, text, values...); return err }))
		}
		set(`UPDATE organization SET sso_only = TRUE WHERE id = $1`, p.Own.ID)
		r := refused(t, p.App.ForgotPassword(ctx, viewerEmail, caller()), "not_authorized_method")
		if r.Message != "Your organization is managing user access to the {brand} dashboard. Please contact your administrator for access." {
			t.Errorf("%q", r.Message)
		}
		refused(t, p.App.UnlockAccount(ctx, viewerEmail, caller()), "not_authorized_method")
		p.App.HideUnknownEmail = true
		must(t, p.App.ForgotPassword(ctx, viewerEmail, caller()))
		refused(t, p.App.ResetPassword(ctx, reset, nextPassword, caller()), "reset_token_unknown") // the newest request ended it
		refused(t, p.App.AcceptInvitation(ctx, invitation, nextPassword, caller()), "not_authorized_method")
		made, err := p.App.CreateUser(ctx, administrator, wire.UserCreate{FirstName: "N", LastName: "N", Email: "nn@demo.example", RoleID: wire.ID(role(t, "viewer"))})
		must(t, err)
		_, err = p.App.InviteUser(ctx, administrator, made.ID)
		refused(t, err, "validation_failed")
		if l := p.letters(t); len(l) != 0 || made.InvitedAt != 0 {
			t.Errorf("letters: %+v, invited %s", l, made.InvitedAt)
		}
		set(`UPDATE app_user SET break_glass = TRUE`)
		p.Clock.Advance(time.Hour)
		must(t, p.App.ForgotPassword(ctx, viewerEmail, caller()))
		reset = p.one(t, "Reset your Safety Cloud password").token()
		set(`UPDATE app_user SET break_glass = FALSE`)
		refused(t, p.App.ResetPassword(ctx, reset, nextPassword, caller()), "not_authorized_method")
		set(`UPDATE app_user SET break_glass = TRUE`)
		must(t, p.App.ResetPassword(ctx, reset, nextPassword, caller()))
	})
}

// A person in the organization is invited and chooses the first password.
func TestInvitation(t *testing.T) {
	p := newPosted(t)
	ctx := t.Context()
	member, err := p.App.CreateUser(ctx, p.Actor("administrator"), invitee(t))
	must(t, err)
	l := p.one(t, "Your Safety Cloud account")
	if l.To != "new.person@demo.example" || !strings.Contains(l.Text, "Harbor County created an account for you") ||
		!strings.HasPrefix(l.link(), "/welcome/invite/new.person@demo.example#lb_inv_") {
		t.Errorf("letter %+v", l)
	}
	if got := p.signsIn(t, l.To, ""); got != "invalid_grant" {
		t.Errorf("without a password: %q", got)
	}
	refused(t, p.App.AcceptInvitation(ctx, l.token(), "weak", caller()), "password_rules")
	refused(t, p.App.AcceptInvitation(ctx, l.token(), "New.Person1*", caller()), "password_common")
	p.Clock.Advance(7*24*time.Hour - time.Millisecond)
	must(t, p.App.AcceptInvitation(ctx, l.token(), nextPassword, caller()))
	refused(t, p.App.AcceptInvitation(ctx, l.token(), "Another#Heron8 at dusk", caller()), "invitation_expired")
	if got := p.signsIn(t, l.To, nextPassword); got != "" {
		t.Errorf("the chosen password: %q", got)
	}
	if !p.hasAudit(t, "invite") || !p.hasAudit(t, "accept_invitation") {
		t.Error("not audited")
	}
	if u, err := store.UserByID(ctx, p.App.Store.Reader(), member.ID); err != nil || u.InvitedAt == 0 {
		t.Errorf("%+v %v", u, err)
	}
}

// Who was removed meanwhile does not come back by a link that was mailed before.
func TestLinksEndWithTheirUser(t *testing.T) {
	p := newPosted(t)
	ctx, administrator := t.Context(), p.Actor("administrator")
	member, err := p.App.CreateUser(ctx, administrator, invitee(t))
	must(t, err)
	invitation := p.one(t, "Your Safety Cloud account").token()
	must(t, p.App.ForgotPassword(ctx, viewerEmail, caller()))
	reset := p.one(t, "Reset your Safety Cloud password").token()
	must(t, p.App.DeleteUser(ctx, administrator, member.ID))
	must(t, p.App.DeleteUser(ctx, administrator, p.Users["viewer"].ID))
	refused(t, p.App.AcceptInvitation(ctx, invitation, nextPassword, caller()), "invitation_expired")
	refused(t, p.App.ResetPassword(ctx, reset, nextPassword, caller()), "reset_token_unknown")
}

func TestAnInvitationExpires(t *testing.T) {
	p := newPosted(t)
	ctx := t.Context()
	_, err := p.App.CreateUser(ctx, p.Actor("administrator"), invitee(t))
	must(t, err)
	token := p.one(t, "Your Safety Cloud account").token()
	p.Clock.Advance(7 * 24 * time.Hour)
	refused(t, p.App.AcceptInvitation(ctx, token, nextPassword, caller()), "invitation_expired")
	// The person can help themselves: the address is theirs.
	must(t, p.App.ForgotPassword(ctx, "new.person@demo.example", caller()))
	must(t, p.App.ResetPassword(ctx, p.one(t, "Reset your Safety Cloud password").token(), nextPassword, caller()))
}

// Ten at once with one link: one of them chooses.
func TestParallelResets(t *testing.T) {
	p := newPosted(t)
	ctx := t.Context()
	must(t, p.App.ForgotPassword(ctx, viewerEmail, caller()))
	token := p.one(t, "Reset your Safety Cloud password").token()
	var wait sync.WaitGroup
	var mu sync.Mutex
	won := ""
	for i := range 10 {
		password := fmt.Sprintf("Quiet+Marsh#%d otter", i)
		wait.Go(func() {
			err := p.App.ResetPassword(ctx, token, password, caller())
			mu.Lock()
			defer mu.Unlock()
			switch {
			case err == nil && won == "":
				won = password
			case err == nil:
				t.Error("two have chosen")
			}
		})
	}
	wait.Wait()
	if got := p.signsIn(t, viewerEmail, won); got != "" {
		t.Errorf("the winner's password: %q", got)
	}
	if n := len(p.letters(t)); n != 1 {
		t.Errorf("%d letters", n)
	}
}

// Names with line breaks, links and markup come to no harm in real letters.
func TestHostileNamesInLetters(t *testing.T) {
	p := newPosted(t)
	ctx := t.Context()
	member, err := p.App.CreateUser(ctx, p.Actor("administrator"), invitee(t))
	must(t, err)
	must(t, p.App.Store.Write(ctx, func(tx *store.Tx) error {
		_, err := tx.ExecContext(ctx, "UPDATE app_user SET first_name = $1", "Ada\r\nBcc: all@victim.example\r\n\r\nhttps://evil.example")
		if err == nil {
			_, err = tx.ExecContext(ctx, "UPDATE organization SET name = $1 WHERE id = $2", "Harbor\r\nX-Evil: 1 <b>https://evil.example", p.Own.ID)
		}
		return err
	}))
	p.App.Configured = map[string]string{"brand.name": "Map\r\nX-Brand: 1", "brand.support_email": "help@fleet.example\r\nX: 1"}
	must(t, p.App.ForgotPassword(ctx, viewerEmail, caller()))
	_, err = p.App.InviteUser(ctx, p.Actor("administrator"), member.ID) // overtakes the first invitation
	must(t, err)
	for _, m := range p.letters(t) {
		if strings.Contains(m.Text+m.HTML, "evil.example") || strings.Contains(m.HTML, "<b>") {
			t.Errorf("letter %+v", m)
		}
	}
	for _, taken := range p.smtp.Taken() {
		head, _, _ := strings.Cut(taken.Data, "\r\n\r\n")
		for _, bad := range []string{"\r\nBcc", "\r\nX-Evil", "\r\nX-Brand", "\r\nX:"} {
			if strings.Contains(head, bad) {
				t.Errorf("header %q:\n%s", bad, head)
			}
		}
	}
	if len(p.smtp.Taken()) != 2 {
		t.Errorf("%d letters", len(p.smtp.Taken()))
	}
}

// Whatever the request says of its host, links begin with the public address.
// spec: D.password.04
func TestLinksComeFromThePublicAddressOnly(t *testing.T) {
	p := newPosted(t, testkit.WithAPI(api.Options{Hosts: []string{"evil.example"}}))
	for _, path := range []string{"/api/forgot_password", "/api/unlock_account"} {
		r := p.Do(testkit.Request{Method: "POST", Path: path, Body: map[string]any{"email": viewerEmail},
			Headers: map[string]string{"Host": "evil.example", "X-Forwarded-Host": "evil.example", "X-Forwarded-Proto": "http", "Forwarded": "host=evil.example",
				"X-Forwarded-For": "evil.example", "X-Original-URL": "https://evil.example/", "Referer": "https://evil.example/"}})
		if r.Status != 200 {
			t.Fatalf("%s: %d %s", path, r.Status, r.Text)
		}
	}
	for _, l := range p.letters(t) {
		if strings.Contains(l.Text+l.HTML+l.Subject, "evil") || !strings.Contains(l.Text, publicURL+"/welcome/") {
			t.Errorf("letter %+v", l)
		}
	}
	r := p.Do(testkit.Request{Method: "POST", Path: "/api/forgot_password", Body: map[string]any{"email": viewerEmail}, Headers: map[string]string{"Origin": "https://evil.example"}})
	if r.Status != 403 || len(p.letters(t)) != 0 {
		t.Errorf("a foreign page asked: %d %s", r.Status, r.Text)
	}
}

func invitee(t *testing.T) wire.UserCreate {
	t.Helper()
	return wire.UserCreate{FirstName: "New", LastName: "Person", Email: "new.person@demo.example", RoleID: wire.ID(role(t, "operator"))}
}
