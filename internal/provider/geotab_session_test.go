package provider_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"lightbar/internal/provider"
	"lightbar/internal/testkit/providertest"
)

// The server that signs in may name another, which is asked from then on.
func TestGeotabNamesItsServer(t *testing.T) {
	home, away, c := providertest.NewGeotab(t), providertest.NewGeotab(t), newClock()
	away.SetNow(c.now)
	home.Redirect(away)
	asks := client(t, "geotab", home, c)
	var cursor string
	page(t, asks, c, &cursor)
	away.Log("b1", noon, 40, -100, 10)
	if got := page(t, asks, c, &cursor); len(got) != 1 || home.Calls("GetFeed LogRecord") != 0 || away.Calls("Authenticate") != 0 {
		t.Errorf("%+v", got)
	}
	// The database moves: home knows where it is.
	away.Fail("GetFeed LogRecord", providertest.Unavailable)
	if got := problem(t, fed(asks, t, cursor)); got.Reason != provider.Unavailable {
		t.Errorf("%+v", got)
	}
	page(t, asks, c, &cursor)
	if n := home.Calls("Authenticate"); n != 2 {
		t.Errorf("signed in %d times", n)
	}
	password, _ := json.Marshal(home.Account().Secret)
	if heard := away.Heard(); strings.Contains(heard, string(password)) || !strings.Contains(home.Heard(), string(password)) {
		t.Errorf("the other server hears the password: %s", heard)
	}
}

// A server's name that would lead elsewhere in an address opens no session.
func TestGeotabNamesNoServer(t *testing.T) {
	home, c := providertest.NewGeotab(t), newClock()
	for _, path := range []string{"evil.example/x?", "user@evil.example", "https://evil.example", "evil.example#", " "} {
		home.Path(path)
		asks := client(t, "geotab", home, c)
		if got := problem(t, fed(asks, t, "")); got.Reason != provider.Unreadable {
			t.Errorf("%q: %+v", path, got)
		}
		c.pass(time.Minute)
	}
	for _, server := range []string{"https://my.geotab.com", "my.geotab.com/apiv1", "a@b", "a b", "a?b", "a#b", "a\\b", "%41"} {
		if _, err := provider.New("geotab", provider.Account{Server: server}, provider.Options{}); err == nil {
			t.Errorf("%q is taken for a host", server)
		}
	}
	if _, err := provider.New("motive", provider.Account{}, provider.Options{}); err == nil {
		t.Error("an unknown kind is taken")
	}
}

// A session that is no more is renewed once, within the same call; the error is named in either place.
func TestSessionsOfGeotabEnd(t *testing.T) {
	g, c := providertest.NewGeotab(t), newClock()
	asks := client(t, "geotab", g, c)
	var cursor string
	page(t, asks, c, &cursor)
	g.Log("b1", noon, 40, -100, 10)
	c.pass(2 * time.Minute)
	g.EndSessions()
	if got := page(t, asks, c, &cursor); len(got) != 1 || g.Calls("Authenticate") != 2 {
		t.Errorf("%+v, signed in %d times", got, g.Calls("Authenticate"))
	}
	c.pass(2 * time.Minute)
	g.Fail("GetFeed LogRecord", providertest.NoType)
	page(t, asks, c, &cursor)
	if n := g.Calls("Authenticate"); n != 3 {
		t.Errorf("signed in %d times", n)
	}
}

// MyGeotab's budget of ten sign-ins a minute is for all programs of an account: sessions that end at once do not use it up.
func TestSignInsAreFew(t *testing.T) {
	g, c := providertest.NewGeotab(t), newClock()
	asks := client(t, "geotab", g, c)
	for range 24 { // two minutes
		g.EndSessions()
		_, _ = asks.Feed(t.Context(), "")
		c.pass(5 * time.Second)
	}
	if n := g.Calls("Authenticate"); n < 3 || n > 6 {
		t.Errorf("signed in %d times in two minutes", n)
	}
	g.EndSessions()
	got := problem(t, fed(client(t, "geotab", g, c), t, "x")) // the cursor is wrong before anybody is asked
	if got.Reason != provider.CursorLost {
		t.Errorf("%+v", got)
	}
}

// A password that is refused is not tried again within a minute, and other failures of signing in neither.
func TestRefusedSignInsWait(t *testing.T) {
	g, c := providertest.NewGeotab(t), newClock()
	asks := client(t, "geotab", g, c)
	var cursor string
	page(t, asks, c, &cursor)
	c.pass(2 * time.Minute)
	g.Revoke()
	for range 12 {
		if got := problem(t, fed(asks, t, cursor)); got.Reason != provider.Unauthorized || got.RetryAfter != 0 {
			t.Errorf("%+v", got)
		}
		c.pass(4 * time.Second)
	}
	if n := g.Calls("Authenticate"); n != 2 {
		t.Errorf("signed in %d times", n)
	}
	c.pass(time.Minute)
	_ = fed(asks, t, cursor)
	if n := g.Calls("Authenticate"); n != 3 {
		t.Errorf("after a minute: signed in %d times", n)
	}
	other := providertest.NewGeotab(t)
	asks = client(t, "geotab", other, c)
	other.Fail("Authenticate", providertest.HTML502)
	if got := problem(t, fed(asks, t, "")); got.Reason != provider.Unavailable {
		t.Errorf("%+v", got)
	}
	c.pass(20 * time.Second)
	if got := problem(t, fed(asks, t, "")); got.Reason != provider.Unavailable || got.RetryAfter != 40*time.Second || other.Calls("Authenticate") != 1 {
		t.Errorf("%+v", got)
	}
	c.pass(40 * time.Second)
	if err := fed(asks, t, ""); err != nil {
		t.Error(err)
	}
}

// A user who may sign in and not read is told so.
func TestSessionsThatAreNeverGood(t *testing.T) {
	g, c := providertest.NewGeotab(t), newClock()
	asks := client(t, "geotab", g, c)
	g.Fail("GetFeed LogRecord", providertest.NoType, providertest.NoType)
	if got := problem(t, fed(asks, t, "")); got.Reason != provider.Unauthorized || g.Calls("Authenticate") != 2 {
		t.Errorf("%+v, signed in %d times", got, g.Calls("Authenticate"))
	}
}
