package api

import (
	"net/netip"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"lightbar/catalog"
)

// limiter bounds how often a network may ask the token calls. It is a brake
// beside the counters of wrong passwords, which live in the database.
type limiter struct {
	mu      sync.Mutex
	buckets map[netip.Prefix]*bucket
	swept   time.Time
}

type bucket struct {
	*rate.Limiter
	used time.Time
}

var signInsPerMinute = catalog.Setting("session", "signInsPerNetworkMinute")

const limiterNetworks = 50_000

func newLimiter() *limiter { return &limiter{buckets: map[netip.Prefix]*bucket{}} }

// allow takes one token of a network's bucket; wait is how long to stay away otherwise.
func (l *limiter) allow(address string, now time.Time) (ok bool, wait time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if now.Sub(l.swept) > time.Minute || len(l.buckets) > limiterNetworks {
		for network, b := range l.buckets {
			if now.Sub(b.used) > time.Minute {
				delete(l.buckets, network)
			}
		}
		l.swept = now
	}
	network := networkOf(address)
	b := l.buckets[network]
	if b == nil {
		if len(l.buckets) > limiterNetworks {
			network = netip.Prefix{} // all further networks share one bucket
			if b = l.buckets[network]; b == nil {
				b = newBucket()
			}
		} else {
			b = newBucket()
		}
		l.buckets[network] = b
	}
	b.used = now
	if b.AllowN(now, 1) {
		return true, 0
	}
	return false, time.Minute / time.Duration(signInsPerMinute.Int())
}

func newBucket() *bucket {
	n := signInsPerMinute.Int()
	return &bucket{Limiter: rate.NewLimiter(rate.Limit(float64(n)/60), n)}
}

// networkOf is the address's /32 or /64: one household, one bucket.
func networkOf(address string) netip.Prefix {
	ip, err := netip.ParseAddr(address)
	if err != nil {
		return netip.Prefix{}
	}
	ip = ip.Unmap().WithZone("")
	bits := 64
	if ip.Is4() {
		bits = 32
	}
	p, err := ip.Prefix(bits)
	if err != nil {
		return netip.Prefix{}
	}
	return p
}
