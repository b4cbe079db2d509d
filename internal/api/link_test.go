package api_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"lightbar/internal/api"
	"lightbar/internal/app"
	post "lightbar/internal/mail"
	"lightbar/internal/store"
	"lightbar/internal/testkit"
	"lightbar/internal/testkit/smtptest"
)

const chosen = "Quiet+Marsh#4 otter"

// mailed is a world whose mails arrive at a real SMTP server.
func mailed(t *testing.T, options ...testkit.Option) (*testkit.World, *smtptest.Server) {
	t.Helper()
	server := smtptest.New(t, smtptest.Rules{})
	sender, err := post.NewSMTP(post.SMTPOptions{URL: "smtp://" + server.Addr, From: post.From{Address: "noreply@fleet.example"}, Helo: "fleet.example"})
	must(t, err)
	return testkit.New(t, append(options, testkit.WithBuild(func(a *app.App, o *api.Options) {
		a.PublicURL, a.Post = "https://fleet.example", sender
		o.Dist = built()
	}))...), server
}

// linkIn hands the outbox on and answers the path of the newest mail's link.
func linkIn(t *testing.T, w *testkit.World, server *smtptest.Server) string {
	t.Helper()
	must(t, w.App.RunMail(t.Context()))
	taken := server.Taken()
	if len(taken) == 0 {
		t.Fatal("no mail has come")
	}
	text := strings.ReplaceAll(taken[len(taken)-1].Data, "=\r\n", "") // soft breaks of quoted-printable
	_, rest, ok := strings.Cut(text, "/welcome/")
	if !ok {
		t.Fatalf("no link in\n%s", text)
	}
	link, _, _ := strings.Cut(rest, "\r\n")
	return "/welcome/" + strings.ReplaceAll(link, "=3D", "=")
}

func tokenOf(link string) string { return link[strings.LastIndexAny(link, "/#")+1:] }

func ask(path, email string) testkit.Request {
	return testkit.Request{Method: "POST", Path: path, Body: map[string]any{"email": email}}
}

func choose(path, token, password string) testkit.Request {
	return testkit.Request{Method: "PUT", Path: path, Body: map[string]any{"token": token, "password": password}}
}

// spec: 7.auth.05 7.auth.06 8.token.02 8.token.05 8.token.06 8.token.08
func TestForgottenPassword(t *testing.T) {
	w, server := mailed(t)
	wants(t, w.Do(ask("/api/forgot_password", "nobody@demo.example")), 404, "user_not_known", "There's no user with such email.")
	wants(t, w.Do(ask("/api/unlock_account", "nobody@demo.example")), 404, "user_not_known", "There's no user with such email.")
	before := w.SignIn("viewer")
	if r := w.Do(ask("/api/forgot_password/", "Viewer@demo.example")); r.Status != 200 || strings.TrimSpace(r.Text) != "{}" {
		t.Fatalf("%d %s", r.Status, r.Text)
	}
	link := linkIn(t, w, server)
	if !strings.HasPrefix(link, "/welcome/reset/viewer@demo.example#lb_rst_") {
		t.Fatalf("link %s", link)
	}
	if strings.Contains(dumpTables(t, w.App.Store), tokenOf(link)) || strings.Contains(w.Log.Text(), tokenOf(link)) {
		t.Error("the database or the log holds the token")
	}
	for range 3 { // mail scanners look at links before people do
		if r := w.Get(link, ""); r.Status != 200 || !strings.HasPrefix(r.Header.Get("Content-Type"), "text/html") || r.Header.Get("Referrer-Policy") != "no-referrer" {
			t.Fatalf("%d %v", r.Status, r.Header)
		}
	}
	if strings.Contains(w.Log.Text(), tokenOf(link)) {
		t.Error("the log holds the link")
	}
	token := tokenOf(link)
	wants(t, w.Do(choose("/api/reset_password", token, "weak")), 422, "password_rules", "Password does not fulfill password requirements.")
	wants(t, w.Do(choose("/api/reset_password", token, "Password1!")), 422, "password_common", "")
	if f := wants(t, w.Do(choose("/api/reset_password", token, testkit.Password)), 422, "password_reused", ""); !strings.Contains(f.Message, "same") {
		t.Errorf("%q", f.Message)
	}
	r := w.Do(choose("/api/reset_password/", token, chosen))
	if r.Status != 200 || strings.TrimSpace(r.Text) != "{}" || len(r.Cookies) != 0 {
		t.Fatalf("%d %s %v", r.Status, r.Text, r.Cookies)
	}
	wants(t, w.Do(choose("/api/reset_password", token, "Another#Heron8 at dusk")), 404, "reset_token_unknown", "Reset token is expired or does not exist.")
	wants(t, w.Get("/api/profile", before.AccessToken), 401, "invalid_token", "")
	wants(t, w.Do(signIn("viewer@demo.example", testkit.Password)), 400, "invalid_grant", "")
	if r := w.Do(signIn("viewer@demo.example", chosen)); r.Status != 200 {
		t.Errorf("%d %s", r.Status, r.Text)
	}
}

// spec: 8.token.04 8.token.07
func TestResetOfSuspendedAndLateUsers(t *testing.T) {
	w, server := mailed(t)
	ctx := t.Context()
	w.Do(ask("/api/forgot_password", "viewer@demo.example"))
	token := tokenOf(linkIn(t, w, server))
	must(t, w.App.Store.Write(ctx, func(tx *store.Tx) error {
		_, err := tx.ExecContext(ctx, "UPDATE app_user SET suspended = TRUE WHERE email_key = 'viewer@demo.example'")
		return err
	}))
	wants(t, w.Do(choose("/api/reset_password", token, chosen)), 401, "user_suspended", "User is suspended. Please contact support")
	w.Do(ask("/api/forgot_password", "operator@demo.example"))
	token = tokenOf(linkIn(t, w, server))
	w.Clock.Advance(30 * time.Minute)
	wants(t, w.Do(choose("/api/reset_password", token, chosen)), 422, "reset_token_expired", "Reset token is expired or does not exist.")
	wants(t, w.Do(choose("/api/accept_invitation", token, chosen)), 422, "invitation_expired", "")
	wants(t, w.Do(choose("/api/reset_password", "", chosen)), 404, "reset_token_unknown", "")
}

// spec: 7.auth.07
func TestUnlockOverHTTP(t *testing.T) {
	w, server := mailed(t)
	for range 5 {
		w.Do(signIn("viewer@demo.example", "Wrong*Heron7"))
	}
	wants(t, w.Do(signIn("viewer@demo.example", testkit.Password)), 401, "locked_out", "")
	if r := w.Do(ask("/api/unlock_account", "viewer@demo.example")); r.Status != 200 {
		t.Fatalf("%d %s", r.Status, r.Text)
	}
	link := linkIn(t, w, server)
	in := signIn("viewer@demo.example", testkit.Password)
	in.Body.(map[string]any)["unlock_token"] = tokenOf(link)
	if r := w.Do(in); r.Status != 200 || !strings.HasPrefix(link, "/welcome/unlock/viewer@demo.example#lb_unl_") {
		t.Errorf("%d %s (%s)", r.Status, r.Text, link)
	}
}

func TestOwnPasswordOverHTTP(t *testing.T) {
	w, server := mailed(t)
	here, elsewhere := w.SignIn("viewer"), w.SignIn("viewer")
	change := func(current, next string) testkit.Response {
		return w.Do(testkit.Request{Method: "PUT", Path: "/api/session/password", Token: here.AccessToken, Body: map[string]any{"current_password": current, "password": next}})
	}
	wants(t, change("Wrong*Heron7", chosen), 422, "password_wrong", "")
	wants(t, change(testkit.Password, "weak"), 422, "password_rules", "")
	if r := change(testkit.Password, chosen); r.Status != 200 || strings.TrimSpace(r.Text) != "{}" {
		t.Fatalf("%d %s", r.Status, r.Text)
	}
	if r := w.Get("/api/profile", here.AccessToken); r.Status != 200 {
		t.Errorf("the own session ended: %s", r.Text)
	}
	wants(t, w.Get("/api/profile", elsewhere.AccessToken), 401, "invalid_token", "")
	must(t, w.App.RunMail(t.Context()))
	if taken := server.Taken(); len(taken) != 1 || taken[0].To != "viewer@demo.example" {
		t.Errorf("%+v", taken)
	}
	for range 5 {
		change("Wrong*Heron7", "Another#Heron8 at dusk")
	}
	r := change(chosen, "Another#Heron8 at dusk")
	wants(t, r, 429, "rate_limited", "")
	if r.Header.Get("Retry-After") != "600" {
		t.Errorf("Retry-After %q", r.Header.Get("Retry-After"))
	}
	in := testkit.Request{Method: "PUT", Path: "/api/session/password", Body: map[string]any{"current_password": chosen, "password": chosen}}
	wants(t, w.Do(in), 401, "unauthorized", "")
}

// Both limits of mails answer 429 with the time to come again; behind it stands the brake of all token calls.
// spec: D.password.05
func TestMailsAreRateLimited(t *testing.T) {
	w, _ := mailed(t, testkit.WithAPI(proxied(true)))
	from := func(address, email string) testkit.Response {
		in := ask("/api/forgot_password", email)
		in.Headers = map[string]string{"X-Forwarded-For": address}
		return w.Do(in)
	}
	for range 3 {
		if r := from("198.51.100.1", "viewer@demo.example"); r.Status != 200 {
			t.Fatalf("%d %s", r.Status, r.Text)
		}
	}
	r := from("203.0.113.1", "viewer@demo.example")
	wants(t, r, 429, "rate_limited", "")
	if r.Header.Get("Retry-After") != "3601" {
		t.Errorf("Retry-After %q", r.Header.Get("Retry-After"))
	}
	for i := range 7 {
		wants(t, from(fmt.Sprintf("198.51.100.%d", i), fmt.Sprintf("nobody%d@demo.example", i)), 404, "user_not_known", "")
	}
	wants(t, from("198.51.100.9", "operator@demo.example"), 429, "rate_limited", "")
	limited := 0
	for range 70 {
		if w.Do(choose("/api/reset_password", "lb_rst_x", chosen)).Status == http.StatusTooManyRequests {
			limited++
		}
	}
	if limited == 0 {
		t.Error("guesses at links are not limited")
	}
}

// With the switch, an unknown address is answered byte for byte as a known one.
// spec: D.password.04 D.password.05
func TestUnknownAddressesAnswerAlike(t *testing.T) {
	w, server := mailed(t)
	w.App.HideUnknownEmail = true
	for _, path := range []string{"/api/forgot_password", "/api/unlock_account"} {
		known, unknown := w.Do(ask(path, "viewer@demo.example")), w.Do(ask(path, "nobody@demo.example"))
		if known.Status != 200 || known.Status != unknown.Status || known.Text != unknown.Text {
			t.Errorf("%s: %d %q and %d %q", path, known.Status, known.Text, unknown.Status, unknown.Text)
		}
		for _, name := range []string{"X-Request-Id", "Date"} {
			known.Header.Del(name)
			unknown.Header.Del(name)
		}
		if fmt.Sprint(known.Header) != fmt.Sprint(unknown.Header) {
			t.Errorf("%s: headers %v and %v", path, known.Header, unknown.Header)
		}
	}
	must(t, w.App.RunMail(t.Context()))
	for _, m := range server.Taken() {
		if m.To != "viewer@demo.example" {
			t.Errorf("a mail to %s", m.To)
		}
	}
}

func TestLinkCallsOfTheWrongShape(t *testing.T) {
	w, _ := mailed(t)
	for _, row := range []struct {
		method, path, body string
		status             int
	}{
		{"POST", "/api/forgot_password", `{}`, 422},
		{"POST", "/api/forgot_password", `{"email": 5}`, 422},
		{"POST", "/api/forgot_password", `{"email": "viewer@demo.example", "host": "evil.example"}`, 422},
		{"POST", "/api/forgot_password", `{"email": "nobody@demo.example", "email": "viewer@demo.example"}`, 400},
		{"POST", "/api/forgot_password", `{"email": "viewer@demo.example\r\nBcc: x@evil.example"}`, 422},
		{"POST", "/api/forgot_password", `{"email": "` + strings.Repeat("a", 10_000) + `@demo.example"}`, 422},
		{"POST", "/api/forgot_password", `[`, 400},
		{"PUT", "/api/reset_password", `{"token": "x"}`, 422},
		{"PUT", "/api/reset_password", `{"token": "x", "password": null}`, 422},
		{"PUT", "/api/reset_password", `{"token": "x", "password": "y", "user_id": "z"}`, 422},
		{"PUT", "/api/accept_invitation", `{"token": "x", "password": "y", "role_id": "z"}`, 422},
		{"GET", "/api/reset_password", ``, 405},
		{"POST", "/api/reset_password", `{}`, 405},
	} {
		if r := w.Do(testkit.Request{Method: row.method, Path: row.path, Body: row.body}); r.Status != row.status {
			t.Errorf("%s %s %.60s: %d %s", row.method, row.path, row.body, r.Status, r.Text)
		}
	}
	if facts, err := store.MailNumbers(t.Context(), w.App.Store.Reader()); err != nil || facts.Waiting != 0 {
		t.Errorf("mails were queued: %+v %v", facts, err)
	}
}
