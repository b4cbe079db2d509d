package contract_test

import (
	"context"
	"strings"
	"time"

	"lightbar/internal/fleet"
	"lightbar/internal/mail"
	"lightbar/internal/store"
	"lightbar/internal/testkit"
)

type object = map[string]any

// nowhere is an id of nothing.
const nowhere = "019aa5c0-0000-7000-8000-00000000beef"

func password(email, text string) object {
	return object{"grant_type": "password", "application": "dashboard", "username": email, "password": text}
}

// set changes a column of a row: accounts in a state that takes months to come about.
func (s *stage) set(table, id, column string, value any) {
	s.t.Helper()
	s.must(s.App.Store.Write(s.t.Context(), func(tx *store.Tx) error {
		_, err := tx.ExecContext(s.t.Context(), `UPDATE `+table+` SET `+column+` = $1 WHERE id = $2`, value, id)
		return err
	}))
}

func playSignIn(r *recorder, s *stage) {
	token := func(name string, body object) object {
		r.t.Helper()
		answer := r.call(s, name, "POST", "/api/user_token", "", body)
		return testkit.Decode[object](r.t, answer)
	}
	pair := token("", password("viewer@demo.example", testkit.Password))
	token("cookie", object{"grant_type": "password", "username": "viewer@demo.example", "password": testkit.Password, "token_delivery": "cookie"})
	token("refreshed", object{"grant_type": "refresh_token", "refresh_token": pair["refresh_token"]})
	token("", password("viewer@demo.example", "Wrong*Heron7"))
	token("", object{"grant_type": "client_credentials"})
	token("invalid_request", object{"grant_type": "password", "application": "other"})
	token("token_not_verified", object{"grant_type": "refresh_token", "refresh_token": "lb_rt_x"})

	now, day := fleet.InstantOf(s.Clock.Now()), 24*time.Hour
	for _, row := range []struct {
		email, column string
		value         any
	}{
		{"suspended@demo.example", "suspended", true}, {"norole@demo.example", "role_id", nowhere},
		{"old@demo.example", "password_changed_at", int64(now.Add(-91 * day))}, {"idle@demo.example", "last_sign_in_at", int64(now.Add(-181 * day))},
	} {
		u := s.AddUser(row.email, s.Own.ID, "viewer")
		s.set("app_user", u.ID, row.column, row.value)
		if row.column == "last_sign_in_at" {
			s.set("app_user", u.ID, "password_changed_at", int64(now.Add(-200*day)))
		}
		token("", password(row.email, testkit.Password))
	}
	gone := s.AddUser("gone@demo.example", s.Managed.ID, "viewer")
	s.set("organization", gone.OrganizationID, "deleted_at", int64(now))
	token("", password(gone.Email, testkit.Password))
	token("awareness_not_allowed", object{"grant_type": "password", "username": "outsider@demo.example", "password": testkit.Password, "awareness_mode": true})
	s.set("organization", s.Foreign.ID, "sso_only", true)
	token("not_authorized_method", password("outsider@demo.example", testkit.Password))
	s.set("organization", s.Foreign.ID, "sso_only", false)
	for range 5 {
		s.Do(testkit.Request{Method: "POST", Path: "/api/user_token", Body: password("operator@demo.example", "Wrong*Heron7")})
	}
	token("", password("operator@demo.example", testkit.Password))

	access := s.SignIn("viewer").AccessToken
	r.call(s, "", "POST", "/api/verify_token", "", object{"access_token": access})
	r.call(s, "", "POST", "/api/verify_token", "", object{"access_token": "lb_at_x"})
	r.call(s, "", "GET", "/api/profile", access, nil)
	r.call(s, "administrator", "GET", "/api/profile", s.SignIn("administrator").AccessToken, nil)
	r.call(s, "unauthorized", "GET", "/api/profile", "", nil)
	r.call(s, "", "GET", "/api/sessions", access, nil)
	other := s.SignIn("viewer")
	sessions := testkit.Decode[struct{ Data []struct{ ID string } }](r.t, s.Get("/api/sessions", access)).Data
	r.call(s, "", "DELETE", "/api/sessions/"+nowhere, access, nil)
	r.call(s, "", "DELETE", "/api/sessions/"+sessions[len(sessions)-1].ID, access, nil)
	other = s.SignIn("viewer")
	r.call(s, "", "DELETE", "/api/sessions", other.AccessToken, nil)
	r.call(s, "invalid_token", "GET", "/api/sessions", access, nil)
	r.call(s, "", "POST", "/api/revoke_token", "", object{"token": other.AccessToken})
	for _, path := range []string{"/api/version", "/api/brand"} {
		r.call(s, "", "GET", path, "", nil)
	}
	manager := s.SignIn("manager").AccessToken
	s.set("app_user", s.Users["manager"].ID, "organization_id", s.Foreign.ID)
	s.Clock.Advance(5 * time.Second)
	r.call(s, "organization_changed", "GET", "/api/profile", manager, nil)
}

// box takes the letters.
type box struct{ letters []mail.Message }

func (b *box) Send(_ context.Context, m mail.Message) error {
	b.letters = append(b.letters, m)
	return nil
}

// letter hands on what waits and answers the token of the newest letter's link.
func (s *stage) letter(b *box) string {
	s.t.Helper()
	s.must(s.App.RunMail(s.t.Context()))
	if len(b.letters) == 0 {
		s.t.Fatal("no letter")
	}
	_, rest, _ := strings.Cut(b.letters[len(b.letters)-1].Text, "#")
	token, _, _ := strings.Cut(rest, "\n")
	return strings.TrimSpace(token)
}

func playLinks(r *recorder, s *stage) {
	b := &box{}
	s.App.Post = b
	const chosen = "Quiet+Marsh#4 otter"
	reset := func(name, token, text string) {
		r.t.Helper()
		r.call(s, name, "PUT", "/api/reset_password", "", object{"token": token, "password": text})
	}
	r.call(s, "", "POST", "/api/forgot_password", "", object{"email": "nobody@demo.example"})
	r.call(s, "", "POST", "/api/forgot_password", "", object{"email": "viewer@demo.example"})
	token := s.letter(b)
	reset("", token, "weak")
	reset("", token, "Password1!")
	reset("", token, testkit.Password)
	reset("", token, chosen)
	reset("", token, "Another#Heron8 at dusk")
	s.ok("POST", "/api/forgot_password", "", object{"email": "operator@demo.example"})
	token = s.letter(b)
	s.Clock.Advance(time.Hour)
	reset("", token, chosen)
	s.ok("POST", "/api/forgot_password", "", object{"email": "manager@demo.example"})
	token = s.letter(b)
	s.set("app_user", s.Users["manager"].ID, "suspended", true)
	reset("", token, chosen)
	r.call(s, "", "POST", "/api/unlock_account", "", object{"email": "viewer@demo.example"})

	admin := s.SignIn("administrator").AccessToken
	role := s.Users["viewer"].RoleID
	r.call(s, "", "POST", "/api/users", admin, object{"firstname": "Ada", "lastname": "Byron", "email": "ada@demo.example", "role_id": role})
	token = s.letter(b)
	accept := func(name, token string) {
		r.t.Helper()
		r.call(s, name, "PUT", "/api/accept_invitation", "", object{"token": token, "password": chosen})
	}
	accept("", token)
	accept("", token)

	own := s.SignIn("administrator").AccessToken
	change := func(name, present, next string) {
		r.t.Helper()
		r.call(s, name, "PUT", "/api/session/password", own, object{"current_password": present, "password": next})
	}
	change("", "wrong", chosen)
	change("", testkit.Password, chosen)
	step := func(name string, body object) {
		r.t.Helper()
		r.call(s, name, "POST", "/api/session/step_up", own, body)
	}
	step("", object{"password": "wrong"})
	step("", object{"password": chosen})
	s.Clock.Advance(time.Minute)
	r.call(s, "", "POST", "/api/session/link", own, nil)
	texts := s.ok("POST", "/api/session/link", own, nil)["url"].(string)
	access, refresh := linkTexts(texts)
	link := object{"access_token": access, "refresh_token": refresh}
	r.call(s, "", "POST", "/api/sign_in_link", "", link)
	linked := testkit.Decode[object](r.t, r.call(s, "link", "POST", "/api/user_token", "", object{"grant_type": "link", "access_token": access, "refresh_token": refresh}))
	r.call(s, "unlock", "POST", "/api/session/step_up", linked["access_token"].(string), object{"password": chosen, "unlock": true})
	r.call(s, "", "POST", "/api/sign_in_link/discard", "", link)
	r.call(s, "", "POST", "/api/sign_in_link", "", link)
	s.Clock.Advance(time.Hour)
	r.call(s, "step_up_required", "POST", "/api/session/totp", own, nil)
	body := password("super@demo.example", testkit.Password)
	body["awareness_mode"] = true
	wall := testkit.Decode[object](r.t, r.call(s, "awareness", "POST", "/api/user_token", "", body))["access_token"].(string)
	r.call(s, "awareness", "GET", "/api/profile", wall, nil)
	r.call(s, "awareness", "POST", "/api/session/step_up", wall, object{"password": testkit.Password})
}

// linkTexts are the two texts of a sign-in link's address.
func linkTexts(address string) (access, refresh string) {
	for _, part := range strings.FieldsFunc(address, func(c rune) bool { return strings.ContainsRune("/#?&=", c) }) {
		switch {
		case strings.HasPrefix(part, "lb_lka_"):
			access = part
		case strings.HasPrefix(part, "lb_lkr_"):
			refresh = part
		}
	}
	return access, refresh
}

// once is a request with an Idempotency-Key.
func once(method, path, token, key string, body any) testkit.Request {
	return testkit.Request{Method: method, Path: path, Token: token, Body: body, Headers: map[string]string{"Idempotency-Key": key}}
}
