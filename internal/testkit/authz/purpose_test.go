package authz_test

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"lightbar/internal/access"
	"lightbar/internal/api"
	"lightbar/internal/app"
	"lightbar/internal/device"
	"lightbar/internal/fleet"
	"lightbar/internal/mail"
	"lightbar/internal/store"
	"lightbar/internal/testkit"
)

// purposes are the tokens there are, one of each.
type purposes map[string]string

var linkInMail = regexp.MustCompile(`/welcome/[a-z]+/[^/\s]+[/#](lb_[a-z]+_[A-Za-z0-9_-]+)`)

// postbox keeps the newest mail to each address.
type postbox map[string]string

func (p postbox) Send(_ context.Context, m mail.Message) error {
	p[m.To] = m.Text
	return nil
}

// token answers the secret of the link in the newest mail to an address.
func (p postbox) token(t *testing.T, w *testkit.World, to string) string {
	t.Helper()
	if err := w.App.RunMail(t.Context()); err != nil {
		t.Fatal(err)
	}
	found := linkInMail.FindStringSubmatch(p[to])
	if found == nil {
		t.Fatalf("no link in the mail to %s: %s", to, p[to])
	}
	return found[1]
}

// purposeWorld is a server with one token of each purpose.
func purposeWorld(t *testing.T) (*testkit.World, purposes) {
	post := postbox{}
	w := testkit.New(t, testkit.WithBuild(func(a *app.App, o *api.Options) {
		a.PublicURL, a.Post = "https://fleet.example", post
		o.Ingest = device.New(a, device.Options{})
	}))
	p := purposes{"question": askedByMail(t, w, post)}
	pair := w.SignIn("viewer")
	p["access"], p["refresh"], p["key"] = pair.AccessToken, pair.RefreshToken, w.Key
	send := func(method, path, token string, body any) testkit.Response {
		r := w.Do(testkit.Request{Method: method, Path: path, Token: token, Body: body})
		if r.Status >= 300 {
			t.Fatalf("%s %s: %d %s", method, path, r.Status, r.Text)
		}
		return r
	}
	send("POST", "/api/forgot_password", "", object{"email": "operator@demo.example"})
	p["reset"] = post.token(t, w, "operator@demo.example")
	send("POST", "/api/unlock_account", "", object{"email": "manager@demo.example"})
	p["unlock"] = post.token(t, w, "manager@demo.example")
	admin := w.SignIn("administrator").AccessToken
	send("POST", "/api/users", admin, object{"firstname": "In", "lastname": "Vited", "email": "invited@demo.example", "role_id": w.Users["viewer"].RoleID})
	p["invitation"] = post.token(t, w, "invited@demo.example")
	var link struct{ Data struct{ URL string } }
	if err := json.Unmarshal([]byte(send("POST", "/api/session/link", admin, nil).Text), &link); err != nil {
		t.Fatal(err)
	}
	address, err := url.Parse(link.Data.URL)
	if err != nil {
		t.Fatal(err)
	}
	query := address.Query()
	if address.RawQuery == "" {
		query, _ = url.ParseQuery(address.Fragment)
	}
	p["link access"], p["link refresh"] = query.Get("access_token"), query.Get("refresh_token")
	strict, err := w.App.CreateOrganization(t.Context(), access.System(), fleet.Organization{Name: "Strict", MFARequired: true})
	if err != nil {
		t.Fatal(err)
	}
	w.AddUser("strict@demo.example", strict.ID, "viewer")
	if err := w.App.Store.Write(t.Context(), func(tx *store.Tx) error {
		_, err := tx.ExecContext(t.Context(), `UPDATE organization SET mfa_required = TRUE WHERE id = $1`, strict.ID)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	r := w.Do(testkit.Request{Method: "POST", Path: "/api/user_token", Body: object{"grant_type": "password", "application": "dashboard", "username": "strict@demo.example", "password": testkit.Password}})
	var challenge struct{ Challenge string }
	if err := json.Unmarshal([]byte(r.Text), &challenge); err != nil {
		t.Fatal(err)
	}
	p["challenge"] = challenge.Challenge
	for name, token := range p {
		if len(token) < 20 || !strings.HasPrefix(token, "lb_") {
			t.Fatalf("%s is %q", name, token)
		}
	}
	return w, p
}

// askedByMail makes a closure, and answers the token with which its owner is asked whether it still stands.
func askedByMail(t *testing.T, w *testkit.World, post postbox) string {
	t.Helper()
	if r := w.Do(testkit.Request{Method: "POST", Path: "/api/organization/closure", Token: w.SignIn("administrator").AccessToken, Body: object{
		"description": "Paving", "direction": "N", "user_route": walked, "is_active": true, "end_time": w.Clock.Now().Add(48 * time.Hour)}}); r.Status != http.StatusCreated {
		t.Fatal(r.Text)
	}
	w.Clock.Advance(4 * time.Hour)
	if err := w.App.RunClosures(t.Context()); err != nil {
		t.Fatal(err)
	}
	return post.token(t, w, w.Users["administrator"].Email)
}

// Every token at every endpoint that takes one: only the diagonal works, and
// what was tried elsewhere has not been used up.
// spec: D.auth.01
func TestEachTokenWorksForItsOnePurpose(t *testing.T) {
	password := "Fr3sh&Password"
	send := func(w *testkit.World, method, path string, body any) testkit.Response {
		return w.Do(testkit.Request{Method: method, Path: path, Body: body})
	}
	refresh := func(w *testkit.World, token string) bool {
		return send(w, "POST", "/api/user_token", object{"grant_type": "refresh_token", "refresh_token": token}).Status == http.StatusOK
	}
	endpoints := map[string]func(w *testkit.World, p purposes, token string) bool{
		"access": func(w *testkit.World, _ purposes, token string) bool {
			return w.Get("/api/profile", token).Status == http.StatusOK
		},
		"refresh": func(w *testkit.World, _ purposes, token string) bool { return refresh(w, token) },
		"key": func(w *testkit.World, _ purposes, token string) bool {
			return w.Do(testkit.Request{Method: "POST", Path: "/api/ingest", Token: token, Body: object{"items": []any{}}}).Status == http.StatusOK
		},
		"reset": func(w *testkit.World, _ purposes, token string) bool {
			return send(w, "PUT", "/api/reset_password", object{"token": token, "password": password}).Status == http.StatusOK
		},
		"invitation": func(w *testkit.World, _ purposes, token string) bool {
			return send(w, "PUT", "/api/accept_invitation", object{"token": token, "password": password}).Status == http.StatusOK
		},
		"question": func(w *testkit.World, _ purposes, token string) bool {
			return send(w, "POST", "/api/closure_question/answer", object{"token": token, "answer": "still"}).Status == http.StatusOK
		},
		"unlock": func(w *testkit.World, _ purposes, token string) bool {
			wrong := object{"grant_type": "password", "application": "dashboard", "username": "manager@demo.example", "password": "wrong"}
			w.Clock.Advance(20 * time.Second) // the brake on token calls is another test's
			for range 5 {
				send(w, "POST", "/api/user_token", wrong)
			}
			return send(w, "POST", "/api/user_token", object{"grant_type": "password", "application": "dashboard", "username": "manager@demo.example",
				"password": testkit.Password, "unlock_token": token}).Status == http.StatusOK
		},
		"challenge": func(w *testkit.World, _ purposes, token string) bool {
			r := send(w, "POST", "/api/user_token", object{"grant_type": "mfa", "challenge": token, "method": "totp_setup", "code": "000000"})
			return strings.Contains(r.Text, `"mfa_failed"`)
		},
		"link access": func(w *testkit.World, p purposes, token string) bool {
			return send(w, "POST", "/api/user_token", object{"grant_type": "link", "access_token": token, "refresh_token": p["link refresh"]}).Status == http.StatusOK
		},
		"link refresh": func(w *testkit.World, p purposes, token string) bool {
			return send(w, "POST", "/api/user_token", object{"grant_type": "link", "access_token": p["link access"], "refresh_token": token}).Status == http.StatusOK
		},
	}
	for name, works := range endpoints {
		t.Run(name, func(t *testing.T) {
			w, p := purposeWorld(t)
			for other, token := range p {
				if other != name && works(w, p, token) {
					t.Errorf("the token of purpose %s works where %s is wanted", other, name)
				}
			}
			if works(w, p, p[name][:len(p[name])-1]+"x") {
				t.Error("a token with another last character works")
			}
			if !works(w, p, p[name]) {
				t.Errorf("the token of purpose %s does not work at its own place any more", name)
			}
		})
	}
}
