package api

import (
	"bytes"
	recency "container/list"
	"io"
	"net/http"
	"net/netip"
	"strconv"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"lightbar/catalog"
	"lightbar/internal/budget"
)

// limiter bounds how often a key (a network, a session) may ask. It is a brake
// beside the counters of wrong passwords, which live in the database. Of more
// keys than it keeps the one that has not asked for the longest time goes.
type limiter[K comparable] struct {
	mu sync.Mutex
	// perMinute is the rate of a key; nil = that of sign-ins.
	perMinute func() int
	buckets   map[K]*recency.Element // of *bucket[K]
	used      recency.List           // newest first
}

type bucket[K comparable] struct {
	*rate.Limiter
	key K
}

var signInsPerMinute = catalog.Setting("session", "signInsPerNetworkMinute")

const (
	limiterKeys = 50_000
	// siteShare is how many times a household's rate a whole site (/48 of IPv6) has.
	siteShare = 4
)

// allow takes one token of each key's bucket, times of the usual size; wait is
// how long to stay away when one of them is empty.
func (l *limiter[K]) allow(key K, times int, now time.Time) (ok bool, wait time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	rate := signInsPerMinute.Int
	if l.perMinute != nil {
		rate = l.perMinute
	}
	n := rate() * times
	if l.bucket(key, n).AllowN(now, 1) {
		return true, 0
	}
	return false, time.Minute / time.Duration(n)
}

// bucket finds or makes the bucket of a key; mu is held.
func (l *limiter[K]) bucket(key K, perMinute int) *bucket[K] {
	if e := l.buckets[key]; e != nil {
		l.used.MoveToFront(e)
		return e.Value.(*bucket[K])
	}
	if l.buckets == nil {
		l.buckets = map[K]*recency.Element{}
	}
	if len(l.buckets) >= limiterKeys {
		oldest := l.used.Back()
		delete(l.buckets, l.used.Remove(oldest).(*bucket[K]).key)
	}
	b := &bucket[K]{rate.NewLimiter(rate.Limit(float64(perMinute)/60), perMinute), key}
	l.buckets[key] = l.used.PushFront(b)
	return b
}

// brakes are the limiters of the calls that need nobody signed in.
type brakes struct {
	networks limiter[netip.Prefix]
	sessions limiter[string]
	// consumers are readers by the keyed hash of what their app calls them.
	consumers limiter[string]
}

// allow takes one call of an address: of its household, and of its site.
func (b *brakes) allow(address string, now time.Time) (ok bool, wait time.Duration) {
	household, site := budget.Household(address), budget.Network(address)
	if ok, wait = b.networks.allow(household, 1, now); !ok || household == site {
		return ok, wait
	}
	return b.networks.allow(site, siteShare, now)
}

// brake refuses calls for tokens that come too fast; nil = go on. Who renews a
// session that lives has a bucket of its own: strangers behind the same address
// must not sign a whole station out.
func (s *server) brake(r *http.Request) *Failure {
	c := callOf(r.Context())
	ok, wait := s.limits.allow(c.Network, s.app.Now())
	if !ok && r.URL.Path == tokenPath {
		if id := s.renewed(c, r); id != "" {
			ok, wait = s.limits.sessions.allow(id, 1, s.app.Now())
		}
	}
	if ok {
		return nil
	}
	f := fail("rate_limited")
	f.headers.Set("Retry-After", strconv.Itoa(int(wait/time.Second)+1))
	return f
}

// renewed is the session that a call renews, empty when it does not. The body is left as it was.
func (s *server) renewed(c *call, r *http.Request) string {
	body, err := io.ReadAll(r.Body)
	r.Body = io.NopCloser(bytes.NewReader(body))
	var in TokenRequest
	if err != nil || unmarshalStrict(body, &in) != nil || in.GrantType != "refresh_token" {
		return ""
	}
	return s.app.SessionOfRefresh(r.Context(), s.refreshTokenOf(c, in))
}
