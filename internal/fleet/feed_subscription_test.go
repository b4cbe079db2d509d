package fleet_test

import (
	"strings"
	"testing"
	"time"

	"lightbar/internal/fleet"
)

// What may be a secret of an address is not read back.
func TestAddressesOfFeeds(t *testing.T) {
	for said, want := range map[string]string{
		"https://example.org/feed.json":                   "https://example.org/feed.json",
		" http://example.org:8080/a%20b?key=s&x=&y#part ": "http://example.org:8080/a%20b?key=***&x=***&***",
		"https://user:word@example.org/?key=s":            "https://***@example.org/?key=***",
		"https://[2001:db8::1]/feed":                      "https://[2001:db8::1]/feed",
	} {
		whole, shown, sentence := fleet.CheckFeedURL(said)
		if shown != want || sentence != "" || strings.Contains(whole, "#") {
			t.Errorf("%s: %s, %s", said, shown, sentence)
		}
	}
	for _, said := range []string{"", "feed", "ftp://example.org/", "https:feed", "https://", "file:///etc/passwd", "https://a b/", "https://example.org/?key=***",
		"https://***@example.org/", "https://example.org/" + strings.Repeat("x", 2000)} {
		if _, _, sentence := fleet.CheckFeedURL(said); sentence == "" {
			t.Errorf("%q is taken", said)
		}
	}
}

// What is missing is believed at once when it is little, else when it has been so for an hour.
func TestBelieve(t *testing.T) {
	now := fleet.InstantOf(time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC))
	for _, c := range []struct {
		standing, missing int
		want              bool
	}{{0, 0, true}, {10, 0, true}, {10, 4, true}, {9, 4, true}, {10, 5, false}, {8, 4, true}, {100, 49, true}, {100, 50, false}, {3, 3, false}, {1, 1, false}} {
		var s fleet.FeedState
		if got := s.Believe(c.standing, c.missing, now); got != c.want || got == (s.HeldSince != 0) {
			t.Errorf("%+v: %v", c, got)
		}
		if !c.want && (s.Believe(c.standing, c.missing, now.Add(time.Hour-1)) || !s.Believe(c.standing, c.missing, now.Add(time.Hour))) {
			t.Errorf("%+v: not for an hour", c)
		}
	}
}

// Whatever is typed: no panic, and what is read back has nothing of its query's values or its user.
func FuzzCheckFeedURL(f *testing.F) {
	for _, seed := range []string{"https://u:p@example.org/a?k=v&w#x", "http://[::1]/?&&=", "https://%41/", "***"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, said string) {
		whole, shown, sentence := fleet.CheckFeedURL(said)
		if sentence != "" {
			return
		}
		again, shownAgain, wrong := fleet.CheckFeedURL(whole)
		if wrong == "" && (again != whole || shownAgain != shown) {
			t.Fatalf("%q: %q, %q", said, whole, again)
		}
		_, query, _ := strings.Cut(shown, "?")
		for _, part := range strings.Split(query, "&") {
			if part != "" && !strings.HasSuffix(part, "***") {
				t.Fatalf("%q shows %q", said, shown)
			}
		}
	})
}
