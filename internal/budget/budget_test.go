package budget

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"lightbar/internal/budget/call"
)

const mib = 1 << 20

func take(t *testing.T, h *Hold, n int64, want bool) {
	t.Helper()
	if err := h.Take(n); (err == nil) != want {
		t.Errorf("%d bytes: %v", n, err)
	}
}

// Each has a part, nobody the whole, and what is given back is there for others.
func TestPartsOfTheBudget(t *testing.T) {
	b := &Budget{}
	var all []*Hold
	open := func(address, id string) *Hold {
		h := b.Open(address)
		h.SetHolder(id)
		all = append(all, h)
		return h
	}
	take(t, open("192.0.2.1", "one"), 10*mib, true)
	take(t, open("192.0.2.1", "one"), 10*mib, false) // a key has a quarter of 64 MiB
	take(t, open("192.0.2.1", "one"), 6*mib, true)
	take(t, open("192.0.2.1", "two"), 16*mib, true)
	take(t, open("192.0.2.1", "three"), 1*mib, false) // a network half
	take(t, open("192.0.2.2", "three"), 1*mib, true)
	take(t, open("192.0.2.3", ""), 15*mib, true)
	take(t, open("192.0.2.4", ""), 2*mib, false) // strangers together a quarter
	take(t, open("192.0.2.4", ""), free, true)   // but what every request has
	take(t, open("192.0.2.5", "four"), 15*mib, true)
	take(t, open("192.0.2.6", "five"), 2*mib, false) // nothing is left
	if st := b.Stats(); st.Held > 64*mib || st.Calls != 6 || st.Refused != 4 {
		t.Errorf("%+v", st)
	}
	for _, h := range all {
		h.Close()
		h.Close()
	}
	if st := b.Stats(); st.Held != 0 || st.Calls != 0 || b.strange != 0 || len(b.parties) != 0 {
		t.Errorf("not given back: %+v, %d of strangers, %d parties", st, b.strange, len(b.parties))
	}
}

// Who says who they are stops counting among the strangers.
func TestAStrangerBecomesKnown(t *testing.T) {
	b := &Budget{}
	h := b.Open("192.0.2.1")
	take(t, h, mib, true)
	h.SetHolder("key")
	take(t, h, 15*mib, true)
	if b.strange != 0 || b.parties[party{holder: "key"}].calls != 1 {
		t.Errorf("%d bytes of strangers", b.strange)
	}
	h.Give(15 * mib)
	h.Close()
	if len(b.parties) != 0 || b.held != 0 {
		t.Errorf("%d bytes, %d parties", b.held, len(b.parties))
	}
}

// Two hundred vehicles behind one address, with one key, send their batches at once.
func TestAStationFits(t *testing.T) {
	b := &Budget{}
	for range 200 {
		h := b.Open("198.51.100.7")
		h.SetHolder("gateway")
		take(t, h, 64<<10, true)
	}
	for i := range 2000 {
		take(t, b.Open(fmt.Sprintf("198.51.%d.%d", i/250, i%250)), free, true)
	}
}

func TestNetworks(t *testing.T) {
	for address, want := range map[string][2]string{
		"198.51.100.7": {"198.51.100.7/32", "198.51.100.7/32"}, "::ffff:198.51.100.7": {"198.51.100.7/32", "198.51.100.7/32"},
		"2001:db8:1:2:3::4": {"2001:db8:1::/48", "2001:db8:1:2::/64"}, "fe80::1%eth0": {"fe80::/48", "fe80::/64"}, "x": {"invalid Prefix", "invalid Prefix"},
	} {
		if got := [2]string{Network(address).String(), Household(address).String()}; got != want {
			t.Errorf("%s: %v", address, got)
		}
	}
}

// What a call's work makes of its body counts until it is answered: the wire between the call and readers of files.
func TestTheWorkOfACallCounts(t *testing.T) {
	b := &Budget{}
	network := func(*http.Request) string { return "192.0.2.1" }
	h := b.Guard(network, http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		if err := call.Take(r.Context(), mib); err != nil || b.Stats().Held < mib-free {
			t.Errorf("a MiB: %v, %d bytes held", err, b.Stats().Held)
		}
		if err := call.Take(r.Context(), 64*mib); err == nil {
			t.Error("one call may make all of the budget")
		}
	}))
	h.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(http.MethodPost, "/", strings.NewReader("{}")))
	if held := b.Stats().Held; held != 0 {
		t.Errorf("%d bytes not given back", held)
	}
	if err := call.Take(t.Context(), 1<<40); err != nil {
		t.Errorf("work that no call asked for: %v", err)
	}
}
