package api

import (
	"encoding/binary"
	"fmt"
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
		l := &brakes{}
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

// A site of IPv6 (/48) has 65 536 households; together they have the rate of four.
func TestASiteHasItsBucket(t *testing.T) {
	at := time.Date(2026, 11, 21, 10, 0, 0, 0, time.UTC)
	l := &brakes{}
	for i := range 4 * 60 {
		if ok, _ := l.allow(fmt.Sprintf("2001:db8:1:%x::1", i), at); !ok {
			t.Fatalf("household %d is braked", i)
		}
	}
	if ok, wait := l.allow("2001:db8:1:ffff::1", at); ok || wait <= 0 {
		t.Error("a site is not braked, however many of its networks ask")
	}
	if ok, _ := l.allow("2001:db8:2::1", at); !ok {
		t.Error("another site is braked with it")
	}
}

// However many networks ask, memory stays bounded, and no newcomer is braked for
// their sake: the one that has not asked for the longest time is forgotten.
func TestTheBucketsAreBounded(t *testing.T) {
	at := time.Date(2026, 11, 21, 10, 0, 0, 0, time.UTC)
	l := &brakes{}
	address := func(i int) string {
		return netip.AddrFrom4([4]byte(binary.BigEndian.AppendUint32(nil, uint32(i)))).String()
	}
	for range 60 {
		l.allow("192.0.2.1", at)
	}
	for i := range 2 * limiterKeys {
		if ok, _ := l.allow(address(i+1), at); !ok {
			t.Fatalf("network %d is braked", i)
		}
		if ok, _ := l.allow("192.0.2.1", at); ok && i%1000 == 0 {
			t.Fatal("a network that asks all the time is forgotten")
		}
	}
	if n := len(l.networks.buckets); n != limiterKeys || l.networks.used.Len() != n {
		t.Errorf("%d buckets", n)
	}
}
