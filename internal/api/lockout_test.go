package api_test

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"lightbar/internal/testkit"
	"lightbar/internal/wire"
)

func TestRefreshByCookie(t *testing.T) {
	w := testkit.New(t)
	in := signIn("viewer@demo.example", testkit.Password)
	in.Body.(map[string]any)["token_delivery"] = "cookie"
	r := w.Do(in)
	pair := testkit.Decode[wire.TokenPair](t, r)
	cookie := cookieNamed(t, r, "lb_refresh")
	if pair.RefreshToken != "" || strings.Contains(r.Text, "lb_rt_") {
		t.Errorf("the body carries the refresh token: %s", r.Text)
	}
	if !cookie.HttpOnly || cookie.SameSite != http.SameSiteStrictMode || cookie.Secure {
		t.Errorf("cookie: %+v", cookie)
	}
	renew := testkit.Request{Method: "POST", Path: "/api/user_token", Cookies: []*http.Cookie{cookie},
		Body: map[string]any{"grant_type": "refresh_token", "token_delivery": "cookie"}}
	next := w.Do(renew)
	if next.Status != 200 || cookieNamed(t, next, "lb_refresh").Value == cookie.Value {
		t.Fatalf("renewal: %d %s", next.Status, next.Text)
	}
	// Another site's page must not be able to use the cookie.
	renew.Headers = map[string]string{"Sec-Fetch-Site": "cross-site", "Origin": "https://evil.example"}
	wants(t, w.Do(renew), 403, "cross_origin", "")
	// Without asking for cookie delivery the cookie does not count.
	wants(t, w.Do(testkit.Request{Method: "POST", Path: "/api/user_token", Cookies: []*http.Cookie{cookie}, Body: map[string]any{"grant_type": "refresh_token"}}),
		422, "token_not_verified", "")
	// Signing out with a stale access token ends the cookie's family too.
	out := revoke("lb_at_stale")
	out.Cookies = []*http.Cookie{cookieNamed(t, next, "lb_refresh")}
	if gone := cookieNamed(t, w.Do(out), "lb_refresh"); gone.MaxAge >= 0 || gone.Value != "" {
		t.Errorf("the cookie stays: %+v", gone)
	}
	renew.Headers, renew.Cookies = nil, out.Cookies
	wants(t, w.Do(renew), 422, "token_not_verified", "")
}

func TestSecureCookiesBehindATrustedProxy(t *testing.T) {
	for _, trusted := range []bool{true, false} {
		w := testkit.New(t, testkit.WithAPI(proxied(trusted)))
		in := signIn("viewer@demo.example", testkit.Password)
		in.Body.(map[string]any)["token_delivery"] = "cookie"
		in.Headers = map[string]string{"X-Forwarded-Proto": "https", "X-Forwarded-For": "198.51.100.7"}
		r := w.Do(in)
		name := "lb_refresh"
		if trusted {
			name = "__Host-lb_refresh"
		}
		if c := cookieNamed(t, r, name); c.Secure != trusted {
			t.Errorf("trusted %v: %+v", trusted, c)
		}
		if got := r.Header.Get("Strict-Transport-Security") != ""; got != trusted {
			t.Errorf("trusted %v: HSTS %v", trusted, got)
		}
		if got := strings.Contains(w.Log.Text(), "198.51.100.7"); got != trusted {
			t.Errorf("trusted %v: forwarded address believed: %v", trusted, got)
		}
	}
}

// spec: D.password.02
func TestLockout(t *testing.T) {
	w := testkit.New(t, testkit.WithAPI(proxied(true)))
	from := func(address, email, password string, cookies ...*http.Cookie) testkit.Response {
		in := signIn(email, password)
		in.Headers = map[string]string{"X-Forwarded-For": address}
		in.Cookies = cookies
		return w.Do(in)
	}
	known := from("198.51.100.1", "viewer@demo.example", testkit.Password)
	device := cookieNamed(t, known, "lb_device")
	for range 5 {
		wants(t, from("198.51.100.1", "viewer@demo.example", "Wrong*Heron7"), 400, "invalid_grant", "")
	}
	f := wants(t, from("198.51.100.77", "viewer@demo.example", testkit.Password), 401, "locked_out", "Too many attempts. Your account is locked for 10 minutes.")
	if f.ErrorDescription != f.Message {
		t.Errorf("the description is not the sentence: %+v", f)
	}
	if r := from("203.0.113.1", "viewer@demo.example", testkit.Password); r.Status != 200 {
		t.Errorf("another network is locked out: %s", r.Text)
	}
	if r := from("198.51.100.1", "operator@demo.example", testkit.Password); r.Status != 200 {
		t.Errorf("another account behind the same address is locked out: %s", r.Text)
	}
	if r := from("198.51.100.1", "viewer@demo.example", testkit.Password, device); r.Status != 200 {
		t.Errorf("a known device is locked out: %s", r.Text)
	}
	wants(t, from("198.51.100.1", "operator@demo.example", "Wrong*Heron7", device), 400, "invalid_grant", "")
	w.Clock.Advance(9*time.Minute + 59*time.Second)
	wants(t, from("198.51.100.1", "viewer@demo.example", testkit.Password), 401, "locked_out", "Too many attempts. Your account is locked for 1 minute.")
	w.Clock.Advance(time.Second)
	if r := from("198.51.100.1", "viewer@demo.example", testkit.Password); r.Status != 200 {
		t.Errorf("after 10 minutes: %s", r.Text)
	}
	// Accounts that do not exist are limited in the same words.
	for range 5 {
		from("198.51.100.1", "nobody@demo.example", "Wrong*Heron7")
	}
	wants(t, from("198.51.100.1", "nobody@demo.example", "Wrong*Heron7"), 401, "locked_out", "")
}

func TestParallelGuessesDoNotOutrunTheCounter(t *testing.T) {
	w := testkit.New(t)
	var wait sync.WaitGroup
	var mu sync.Mutex
	codes := map[string]int{}
	for range 12 {
		wait.Go(func() {
			f := testkit.Decode[wire.Failure](t, w.Do(signIn("viewer@demo.example", "Wrong*Heron7")))
			mu.Lock()
			defer mu.Unlock()
			codes[f.Error]++
		})
	}
	wait.Wait()
	if codes["invalid_grant"] != 5 || codes["locked_out"] != 7 {
		t.Errorf("answers: %v", codes)
	}
}

// Fifty guesses an hour are fifty, however many networks they come from at once; the right password among the others does not
// get in. A device that is known is not kept waiting, and accounts that are not there are counted alike.
func TestParallelGuessesFromManyNetworksDoNotOutrunTheCounter(t *testing.T) {
	w := testkit.New(t, testkit.WithAPI(proxied(true)))
	device := cookieNamed(t, w.Do(signIn("viewer@demo.example", testkit.Password)), "lb_device")
	for _, email := range []string{"viewer@demo.example", "nobody@demo.example"} {
		var wait sync.WaitGroup
		var mu sync.Mutex
		codes := map[string]int{}
		for i := range 60 {
			wait.Go(func() {
				in := signIn(email, fmt.Sprintf("Wrong*Heron%d", i))
				in.Headers = map[string]string{"X-Forwarded-For": fmt.Sprintf("198.51.%d.1", i)}
				f := testkit.Decode[wire.Failure](t, w.Do(in))
				mu.Lock()
				defer mu.Unlock()
				codes[f.Error]++
			})
		}
		wait.Wait()
		if codes["invalid_grant"] != 50 || codes["locked_out"] != 10 {
			t.Errorf("%s: %v", email, codes)
		}
	}
	right := signIn("viewer@demo.example", testkit.Password)
	right.Headers = map[string]string{"X-Forwarded-For": "203.0.113.1"}
	wants(t, w.Do(right), 401, "locked_out", "")
	right.Cookies = []*http.Cookie{device}
	if r := w.Do(right); r.Status != 200 {
		t.Errorf("a known device: %d %s", r.Status, r.Text)
	}
}

func TestParallelSignInsOfOneUserAllSucceed(t *testing.T) {
	w := testkit.New(t)
	var wait sync.WaitGroup
	for range 8 {
		wait.Go(func() {
			if r := w.Do(signIn("viewer@demo.example", testkit.Password)); r.Status != 200 {
				t.Errorf("%d %s", r.Status, r.Text)
			}
		})
	}
	wait.Wait()
}

func TestAccountWideLimitKeepsNewNetworksOut(t *testing.T) {
	w := testkit.New(t, testkit.WithAPI(proxied(true)))
	for i := range 50 {
		in := signIn("viewer@demo.example", "Wrong*Heron7")
		in.Headers = map[string]string{"X-Forwarded-For": fmt.Sprintf("198.51.%d.1", i)}
		wants(t, w.Do(in), 400, "invalid_grant", "")
	}
	in := signIn("viewer@demo.example", testkit.Password)
	in.Headers = map[string]string{"X-Forwarded-For": "203.0.113.1"}
	wants(t, w.Do(in), 401, "locked_out", "")
	w.Clock.Advance(time.Hour)
	if r := w.Do(in); r.Status != 200 {
		t.Errorf("an hour later: %s", r.Text)
	}
}

func TestTokenCallsAreRateLimited(t *testing.T) {
	w := testkit.New(t)
	limited := false
	for range 70 {
		r := w.Do(revoke("x"))
		if r.Status == http.StatusTooManyRequests {
			limited = true
			if r.Header.Get("Retry-After") == "" {
				t.Error("no Retry-After")
			}
			break
		}
	}
	if !limited {
		t.Error("70 calls a minute from one address are all answered")
	}
	w.Clock.Advance(time.Minute)
	if r := w.Do(revoke("x")); r.Status != 200 {
		t.Errorf("a minute later: %d", r.Status)
	}
}

// Strangers behind the same address use up what it may ask; whoever has a session there still renews it.
func TestStrangersDoNotStopRenewals(t *testing.T) {
	w := testkit.New(t)
	pair := w.SignIn("viewer")
	for range 60 {
		w.Do(revoke("x"))
	}
	wants(t, w.Do(signIn("viewer@demo.example", testkit.Password)), 429, "rate_limited", "")
	wants(t, w.Do(refresh("lb_rt_nonsense")), 429, "rate_limited", "")
	if r := w.Do(refresh(pair.RefreshToken)); r.Status != 200 {
		t.Errorf("a session that lives: %d %s", r.Status, r.Text)
	}
}
