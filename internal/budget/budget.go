// Package budget limits the memory that requests hold at once: bodies as sent
// and unpacked, and answers waiting for their readers. One limit covers the whole
// server; strangers, each network, and each key or user get a share of it.
package budget

import (
	"net/netip"
	"sync"
	"sync/atomic"

	"lightbar/catalog"
	"lightbar/internal/fleet"
)

var (
	mostBytes = catalog.Setting("http", "heldBytes")
	mostCalls = catalog.Setting("http", "callsAtOnce")
)

// free bytes of each request are not counted: a connection takes as much by
// itself, and so a sign-in or a single position finds its way in whatever
// others hold.
const free = 4 << 10

// The largest parts of the sum: of one network, of one key or user, and of all
// together who have not said who they are.
const (
	networkPart  = 2
	holderPart   = 4
	strangerPart = 4
)

// Budget is the sum. The zero value is ready for use, by any number of goroutines.
type Budget struct {
	mu      sync.Mutex
	held    int64
	strange int64 // of held, by strangers
	parties map[party]*tally
	calls   int
	refused int64
	stalled int64
	bodies  map[*Body]struct{} // that are being read
	until   atomic.Int64       // when the last of them must be here, in ns; 0 = nobody hurries
}

// party is a network, or a key or user by its id.
type party struct {
	network netip.Prefix
	holder  string
}

type tally struct {
	held  int64
	calls int
}

// Stats are sums of now and counts since the start.
type Stats struct {
	Held    int64 // bytes
	Calls   int   // requests that hold them
	Refused int64 // requests told that the server is busy
	Stalled int64 // bodies whose sender stopped
}

// Stats answers what is held.
func (b *Budget) Stats() Stats {
	b.mu.Lock()
	defer b.mu.Unlock()
	return Stats{Held: b.held, Calls: b.calls, Refused: b.refused, Stalled: b.stalled}
}

// Hold is what one request holds; one goroutine at a time may use it.
type Hold struct {
	budget          *Budget
	network, holder party
	known           bool
	bytes           int64 // taken
	counted         int64 // of them, in the budget
}

// Open begins a request of a client's address; Close ends it.
func (b *Budget) Open(address string) *Hold {
	return &Hold{budget: b, network: party{network: Network(address)}}
}

// SetHolder says whose request it is (an id of a key or user): it counts among
// theirs and no longer among the strangers'.
func (h *Hold) SetHolder(id string) {
	if h.known || id == "" {
		return
	}
	h.known, h.holder = true, party{holder: id}
	if h.counted == 0 {
		return
	}
	b := h.budget
	b.mu.Lock()
	defer b.mu.Unlock()
	b.strange -= h.counted
	t := b.tally(h.holder)
	t.held += h.counted
	t.calls++
}

// Take counts n bytes more before they are held. Refusal: busy, and nothing is taken.
func (h *Hold) Take(n int64) error {
	more := max(h.bytes+n-free, 0) - h.counted
	if more <= 0 {
		h.bytes += n
		return nil
	}
	b := h.budget
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.room(h, more) {
		b.refused++
		return &fleet.Refusal{Code: "busy", RetryAfterS: 2}
	}
	if h.counted == 0 {
		b.calls++
		b.tally(h.network).calls++
		if h.known {
			b.tally(h.holder).calls++
		}
	}
	h.bytes += n
	b.count(h, more)
	return nil
}

// room reports whether a request may hold more. One that is alone in its network
// and its key is bound by the whole sum only; mu is held.
func (b *Budget) room(h *Hold, more int64) bool {
	most := int64(mostBytes.Float())
	if b.held+more > most || !h.known && b.strange+more > most/strangerPart {
		return false
	}
	fits := func(p party, part int64) bool {
		t := b.parties[p]
		return t == nil || t.held == h.counted ||
			t.held+more <= most/part && (h.counted > 0 || t.calls < mostCalls.Int())
	}
	return fits(h.network, networkPart) && (!h.known || fits(h.holder, holderPart))
}

// count adds bytes of a request, or takes them away; mu is held.
func (b *Budget) count(h *Hold, n int64) {
	h.counted += n
	b.held += n
	b.tally(h.network).held += n
	if h.known {
		b.tally(h.holder).held += n
	} else {
		b.strange += n
	}
}

// tally finds or makes a party's sums; mu is held.
func (b *Budget) tally(p party) *tally {
	t := b.parties[p]
	if t == nil {
		if b.parties == nil {
			b.parties = map[party]*tally{}
		}
		t = &tally{}
		b.parties[p] = t
	}
	return t
}

// Give returns n bytes that are held no longer.
func (h *Hold) Give(n int64) {
	h.bytes -= n
	less := h.counted - max(h.bytes-free, 0)
	if less <= 0 || h.counted == 0 {
		return
	}
	b := h.budget
	b.mu.Lock()
	defer b.mu.Unlock()
	b.count(h, -less)
	if h.counted > 0 {
		return
	}
	b.calls--
	b.leave(h.network)
	if h.known {
		b.leave(h.holder)
	}
}

// leave takes one request from a party, and forgets a party without any; mu is held.
func (b *Budget) leave(p party) {
	t := b.parties[p]
	if t.calls--; t.calls == 0 {
		delete(b.parties, p)
	}
}

// Close gives everything back.
func (h *Hold) Close() { h.Give(h.bytes) }

// Network is the /32 or, of IPv6, the /48 of an address: what one customer may
// have. An address that cannot be read is in the zero network.
func Network(address string) netip.Prefix { return prefix(address, 48) }

// Household is the /32 or, of IPv6, the /64 of an address.
func Household(address string) netip.Prefix { return prefix(address, 64) }

func prefix(address string, bits int) netip.Prefix {
	ip, err := netip.ParseAddr(address)
	if err != nil {
		return netip.Prefix{}
	}
	ip = ip.Unmap().WithZone("")
	if ip.Is4() {
		bits = 32
	}
	p, _ := ip.Prefix(bits) // the bits are right for the address
	return p
}
