package people

import (
	"sync"
	"time"

	"lightbar/internal/access"
	"lightbar/internal/fleet"
	"lightbar/internal/record"
)

// Looked-up tokens are trusted for this long before the database is queried again, so that revocation takes effect everywhere
// within 5 s (decisions.md).
const (
	tokensTrustedFor = 4 * time.Second
	tokensCached     = 100_000
)

// cachedToken is one looked-up token.
type cachedToken struct {
	actor     *access.Actor
	loadedAt  fleet.Instant
	expiresAt fleet.Instant // of the token itself, or of its family when that is sooner
}

// tokenCache remembers looked-up tokens by the hash of their text.
type tokenCache struct {
	mu    sync.RWMutex
	byKey map[string]cachedToken
	// cleared counts drops: a look-up that began before one must not be stored after it.
	cleared uint64
}

func (t *tokenCache) get(hash string, now fleet.Instant) (cachedToken, bool) {
	t.mu.RLock()
	v, ok := t.byKey[hash]
	t.mu.RUnlock()
	if !ok || now.Sub(v.loadedAt) >= tokensTrustedFor || now < v.loadedAt || now >= v.expiresAt {
		return cachedToken{}, false
	}
	return v, true
}

// begin must be called before the look-up whose result put stores.
func (t *tokenCache) begin() uint64 {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return t.cleared
}

func (t *tokenCache) put(hash string, v cachedToken, began uint64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if began != t.cleared {
		return
	}
	if t.byKey == nil || len(t.byKey) >= tokensCached {
		t.byKey = make(map[string]cachedToken)
	}
	t.byKey[hash] = v
}

// drop removes everything that matches.
func (t *tokenCache) drop(match func(*access.Actor) bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.cleared++
	for hash, v := range t.byKey {
		if match(v.actor) {
			delete(t.byKey, hash)
		}
	}
}

// ForgetTokens applies changes of keys and sessions at once: their tokens are
// looked up again. Call it after the commit.
func (a *Accounts) ForgetTokens(match func(*access.Actor) bool) { a.memory.tokens.drop(match) }

// memory is what the verbs about people hold in memory.
type memory struct {
	tokens    tokenCache
	keyUses   keyUses
	hashing   hashing
	signIns   record.Locks
	families  record.Locks
	looks     looks
	outbox    outbox
	passwords record.Locks
}

// keyUses remembers when each key was last used. The row is updated only now
// and then, and lists must not suggest that a gateway is silent.
type keyUses struct {
	mu sync.Mutex
	at map[string]fleet.Instant
}

func (u *keyUses) note(id string, at fleet.Instant) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.at == nil || len(u.at) >= tokensCached {
		u.at = map[string]fleet.Instant{}
	}
	u.at[id] = max(u.at[id], at)
}

// last is the later of the two times of a key's last use: the one in its row and the one in memory.
func (u *keyUses) last(id string, stored fleet.Instant) fleet.Instant {
	u.mu.Lock()
	defer u.mu.Unlock()
	return max(stored, u.at[id])
}
