package api

import (
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
