package api_test

import (
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"lightbar/internal/access"
	"lightbar/internal/api"
	"lightbar/internal/app"
	"lightbar/internal/bus"
	"lightbar/internal/people"
	"lightbar/internal/record"
	"lightbar/internal/store"
	"lightbar/internal/testkit"
)

// fresh is an installation without users.
func fresh(t *testing.T) (*app.App, *testkit.Clock, func(path, form string) testkit.Response) {
	t.Helper()
	log := &testkit.Log{}
	s, err := store.Open(t.Context(), store.Options{Path: filepath.Join(t.TempDir(), "lightbar.db"), Log: log.Logger()})
	must(t, err)
	t.Cleanup(func() { must(t, s.Close()) })
	clock := testkit.NewClock()
	a := app.New(app.Options{
		Base: record.Base{Store: s, Bus: &bus.Bus{}, Log: log.Logger(), Now: clock.Now, NewID: app.NewID, ServerKey: make([]byte, 32)},
	})
	server := httptest.NewServer(api.New(a, api.Options{}))
	t.Cleanup(server.Close)
	w := &testkit.World{App: a, Server: server, Clock: clock}
	return a, clock, func(path, form string) testkit.Response {
		in := testkit.Request{Method: "GET", Path: path}
		if form != "" {
			in = testkit.Request{Method: "POST", Path: path, Body: form, Headers: map[string]string{"Content-Type": "application/x-www-form-urlencoded"}}
		}
		return w.In(t).Do(in)
	}
}

func TestFirstAdministrator(t *testing.T) {
	a, _, send := fresh(t)
	first, err := a.FirstAdministratorLink(t.Context(), access.System())
	must(t, err)
	link, err := a.FirstAdministratorLink(t.Context(), access.System())
	must(t, err)
	if !strings.HasPrefix(link, "/setup#lb_set_") || first == link {
		t.Fatalf("links: %s %s", first, link)
	}
	if r := send("/setup", ""); r.Status != 200 || !strings.Contains(r.Text, `<form method="post" action="/setup"`) ||
		!strings.Contains(r.Text, `src="/api/docs/setup.js"`) || r.Header.Get("Referrer-Policy") != "same-origin" {
		t.Fatalf("form: %d %s", r.Status, r.Text)
	}
	if csp := send("/setup", "").Header.Get("Content-Security-Policy"); !strings.HasSuffix(csp, "; connect-src 'self'") {
		t.Errorf("the form's script can't send it: %s", csp)
	}
	form := url.Values{"organization": {`Harbor <script>"County"`}, "timezone": {"America/New_York"}, "email": {"chief@demo.example"}, "firstname": {"Ada"},
		"lastname": {"Chief"}, "password": {"Password1!"}, "confirmation": {"Password1!"}}
	for _, token := range []string{"", "guess", tokenOf(first)} {
		form.Set("token", token)
		if r := send("/setup", form.Encode()); r.Status != 404 || !strings.Contains(r.Text, "This link does not work") {
			t.Errorf("%q works: %d", token, r.Status)
		}
	}
	form.Set("token", tokenOf(link))
	r := send("/setup", form.Encode())
	if r.Status != 422 || !strings.Contains(r.Text, "too easy to guess") || !strings.Contains(r.Text, "Harbor &lt;script&gt;") || strings.Contains(r.Text, "Password1!") ||
		!strings.Contains(r.Text, tokenOf(link)) {
		t.Fatalf("weak password: %d %s", r.Status, r.Text)
	}
	form.Set("password", testkit.Password)
	if r := send("/setup", form.Encode()); r.Status != 422 || !strings.Contains(r.Text, "Should match password") {
		t.Fatalf("confirmation: %d %s", r.Status, r.Text)
	}
	form.Set("confirmation", testkit.Password)
	form.Set("email", "not an address")
	if r := send("/setup", form.Encode()); r.Status != 422 || !strings.Contains(r.Text, "Must be a valid email") {
		t.Fatalf("email: %d %s", r.Status, r.Text)
	}
	form.Set("email", "chief@demo.example")
	if r := send("/setup", form.Encode()); r.Status != 303 || r.Header.Get("Location") != "/welcome/signin" {
		t.Fatalf("done: %d %s", r.Status, r.Text)
	}
	if r := send("/setup", form.Encode()); r.Status != 404 {
		t.Errorf("the link works twice: %d", r.Status)
	}
	if r := send("/setup", ""); r.Status != 404 || strings.Contains(r.Text, "<form") {
		t.Errorf("a form though there are users: %d", r.Status)
	}
	g, err := a.SignIn(t.Context(), people.SignIn{Email: "chief@demo.example", Password: testkit.Password})
	must(t, err)
	actor, err := a.Authenticate(t.Context(), g.Access, "192.0.2.1")
	must(t, err)
	p, err := a.Profile(t.Context(), actor)
	must(t, err)
	if p.Organization.Name != `Harbor <script>"County"` || !actor.Permissions["user:admin:manage"] || actor.Super {
		t.Errorf("administrator: %+v", p)
	}
	if again, err := a.FirstAdministratorLink(t.Context(), access.System()); err != nil || again != "" {
		t.Errorf("a link though there are users: %q %v", again, err)
	}
}

// Whatever refuses the form, but the end of its link, shows it again as it was typed.
func TestSetupKeepsWhatWasTyped(t *testing.T) {
	a, _, send := fresh(t)
	link, err := a.FirstAdministratorLink(t.Context(), access.System())
	must(t, err)
	form := url.Values{"organization": {"Harbor"}, "timezone": {"Europe/Paris"}, "email": {"chief@demo.example"}, "firstname": {"Ada"},
		"lastname": {"Chief"}, "password": {testkit.Password}, "confirmation": {"Another1!"}, "token": {tokenOf(link)}}.Encode()
	refused := func(status int, alert string) testkit.Response {
		t.Helper()
		r := send("/setup", form)
		for _, typed := range []string{`role="alert">` + alert, `value="Harbor"`, `value="Europe/Paris"`, `value="chief@demo.example"`, `value="Ada"`,
			`value="Chief"`, tokenOf(link)} {
			if r.Status != status || !strings.Contains(r.Text, typed) {
				t.Errorf("%d without %s: %s", r.Status, typed, r.Text)
			}
		}
		return r
	}
	change := func(sql string) {
		must(t, a.Store.Write(t.Context(), func(tx *store.Tx) error {
			_, err := tx.ExecContext(t.Context(), sql)
			return err
		}))
	}
	refused(422, "Please check the marked fields.")
	change("ALTER TABLE one_time RENAME TO lost")
	refused(500, "Unknown failure.")
	change("ALTER TABLE lost RENAME TO one_time")
	for send("/setup", form).Status == 422 {
	}
	if r := refused(429, "Too many requests."); r.Header.Get("Retry-After") == "" {
		t.Error("nothing says when it may be sent again")
	}
	for _, broken := range []string{"organization=%zz", "organization=" + strings.Repeat("x", 100<<10)} {
		if r := send("/setup", broken); r.Status < 400 || !strings.Contains(r.Text, "<form") {
			t.Errorf("%.40s: %d %s", broken, r.Status, r.Text)
		}
	}
}

func TestSetupLinkExpires(t *testing.T) {
	a, clock, send := fresh(t)
	link, err := a.FirstAdministratorLink(t.Context(), access.System())
	must(t, err)
	clock.Advance(24 * time.Hour)
	if r := send("/setup", "organization=x&token="+tokenOf(link)); r.Status != 404 {
		t.Errorf("after a day: %d", r.Status)
	}
}

// Without its script the form asks for what the script would take from the link and from the browser.
func TestSetupWithoutScript(t *testing.T) {
	a, _, send := fresh(t)
	link, err := a.FirstAdministratorLink(t.Context(), access.System())
	must(t, err)
	page := send("/setup", "").Text
	_, asked, _ := strings.Cut(page, "<noscript>")
	asked, rest, _ := strings.Cut(asked, "</noscript>")
	if !strings.Contains(asked, `<input name="token" value=""`) || !strings.Contains(rest, `<input type="hidden" name="token"`) ||
		!strings.Contains(rest, `<input name="timezone" value=""`) {
		t.Fatal(page)
	}
	// The typed code comes first, then the hidden field that no script filled.
	form := "organization=Harbor&firstname=Ada&lastname=Chief&email=chief@demo.example&token=" + tokenOf(link) + "&token=" +
		"&password=" + url.QueryEscape(testkit.Password) + "&confirmation=" + url.QueryEscape(testkit.Password)
	r := send("/setup", form+"&timezone=Ohio")
	if r.Status != 422 || !strings.Contains(r.Text, "Unknown time zone") || !strings.Contains(r.Text, `<input name="timezone" value="Ohio"`) ||
		!strings.Contains(r.Text, `<noscript><label>Code of the link<input name="token" value="`+tokenOf(link)) {
		t.Fatalf("zone: %d %s", r.Status, r.Text)
	}
	if r := send("/setup", form+"&timezone=America/New_York"); r.Status != 303 {
		t.Fatalf("done: %d %s", r.Status, r.Text)
	}
}
