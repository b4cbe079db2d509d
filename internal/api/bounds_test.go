package api

import (
	"encoding/binary"
	"net/netip"
	"strings"
	"testing"
	"time"
)

// A request is nested sixty-four deep at most, and is one value.
func TestDeepAndDoubledValuesAreRefused(t *testing.T) {
	nested := func(depth int) string { return strings.Repeat("[", depth) + strings.Repeat("]", depth) }
	for text, ok := range map[string]bool{nested(64): true, nested(66): false, nested(5000): false, `{"a":1}`: true, `{"a":1}{"a":2}`: false, `{"a":1} x`: false, `1 `: true} {
		if err := checkJSON([]byte(text)); (err == nil) != ok {
			t.Errorf("%.20s (%d characters): %v", text, len(text), err)
		}
	}
}

// One address of IPv4 and one /64 of IPv6 share a bucket, and nobody else does.
func TestEachHouseholdHasItsBucket(t *testing.T) {
	at := time.Date(2026, 11, 21, 10, 0, 0, 0, time.UTC)
	for _, row := range []struct {
		first, second string
		shared        bool
	}{
		{"198.51.100.1", "198.51.100.1", true}, {"198.51.100.1", "198.51.100.2", false}, {"198.51.100.1", "::ffff:198.51.100.1", true},
		{"2001:db8::1", "2001:db8::ffff:2", true}, {"2001:db8::1", "2001:db8:0:1::1", false},
	} {
		l := newLimiter()
		for range 60 {
			if ok, _ := l.allow(row.first, at); !ok {
				t.Fatalf("%s is braked too early", row.first)
			}
		}
		if ok, _ := l.allow(row.second, at); ok == row.shared {
			t.Errorf("%s after %s: allowed %v", row.second, row.first, ok)
		}
		if ok, _ := l.allow(row.first, at.Add(time.Second)); !ok {
			t.Errorf("%s: nothing comes back after a second", row.first)
		}
	}
}

// However many networks ask, memory stays bounded: those that come when it is
// full share a bucket, known ones keep theirs, and a minute later there is room.
func TestTheBucketsAreBounded(t *testing.T) {
	at := time.Date(2026, 11, 21, 10, 0, 0, 0, time.UTC)
	l := newLimiter()
	asked := uint32(0)
	allowed := func(at time.Time) bool {
		asked++
		ok, wait := l.allow(netip.AddrFrom4([4]byte(binary.BigEndian.AppendUint32(nil, asked))).String(), at)
		if ok != (wait == 0) {
			t.Fatalf("allowed %v, wait %v", ok, wait)
		}
		return ok
	}
	for range limiterNetworks + 1 {
		if !allowed(at) {
			t.Fatalf("network %d is braked", asked)
		}
	}
	for range 60 { // the shared bucket
		if !allowed(at) {
			t.Fatalf("network %d is braked", asked)
		}
	}
	if allowed(at) {
		t.Error("networks beyond the bound are not counted together")
	}
	if ok, _ := l.allow("0.0.0.1", at); !ok {
		t.Error("a known network is braked with those that came later")
	}
	if n := len(l.buckets); n != limiterNetworks+2 {
		t.Errorf("%d buckets", n)
	}
	if !allowed(at.Add(time.Minute + time.Millisecond)) {
		t.Error("a minute later there is no room")
	}
	if n := len(l.buckets); n != 1 {
		t.Errorf("%d buckets a minute later", n)
	}
}
