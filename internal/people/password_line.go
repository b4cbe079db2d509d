package people

import (
	"context"
	"runtime"
	"slices"
	"sync"

	"github.com/alexedwards/argon2id"

	"lightbar/internal/fleet"
)

// standing is how well the person is known whose password must be hashed.
type standing int

const (
	knownDevice  standing = iota // or somebody with a session or a link
	knownNetwork                 // the account has a session that began there
	stranger
	standings
)

// mostStrangers is how many strangers may wait at once, for an account or for a slot: about three seconds of hashing on two
// processors. Others must retry.
const mostStrangers = 100

// hashing limits how many passwords are hashed at a time: without a limit, sign-in itself would be the denial of service (40 at
// once took 760 MiB). Better known people go first: a crowd of strangers keeps no dispatcher waiting.
type hashing struct {
	once  sync.Once
	dummy string

	mu        sync.Mutex
	free      int
	lines     [standings][]chan struct{}
	strangers int
}

func (h *hashing) begin() {
	h.once.Do(func() {
		h.free = max(2, runtime.GOMAXPROCS(0))
		// Compared with for unknown accounts, so that their answer takes the same time.
		h.dummy, _ = argon2id.CreateHash("no account has this password", hashParams)
	})
}

// admit lets a stranger wait, if only few do. Refusals: busy.
func (h *hashing) admit(by standing) (leave func(), err error) {
	if by != stranger {
		return func() {}, nil
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.strangers >= mostStrangers {
		return nil, refuseBusy()
	}
	h.strangers++
	return func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		h.strangers--
	}, nil
}

// enter waits for a slot. Refusals: busy.
func (h *hashing) enter(ctx context.Context, by standing) (leave func(), err error) {
	h.begin()
	turn := h.take(by)
	if turn == nil {
		return h.next, nil
	}
	select {
	case <-turn:
		return h.next, nil
	case <-ctx.Done():
		if !h.giveUp(by, turn) { // the turn came just now
			h.next()
		}
		return nil, refuseBusy()
	}
}

// take takes a free slot (nil), or a place in line.
func (h *hashing) take(by standing) (turn chan struct{}) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.free > 0 {
		h.free--
		return nil
	}
	turn = make(chan struct{})
	h.lines[by] = append(h.lines[by], turn)
	return turn
}

// next gives a free slot to the first of the best known people.
func (h *hashing) next() {
	h.mu.Lock()
	defer h.mu.Unlock()
	for by, line := range h.lines {
		if len(line) > 0 {
			h.lines[by] = line[1:]
			close(line[0])
			return
		}
	}
	h.free++
}

// giveUp leaves the line; false when the slot was handed over already.
func (h *hashing) giveUp(by standing, turn chan struct{}) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	at := slices.Index(h.lines[by], turn)
	if at >= 0 {
		h.lines[by] = slices.Delete(h.lines[by], at, at+1)
	}
	return at >= 0
}

func refuseBusy() *fleet.Refusal {
	return &fleet.Refusal{Code: "busy", Message: "The server is busy. Please try again.", RetryAfterS: 5}
}
