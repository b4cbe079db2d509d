package record

import (
	"context"
	"slices"
	"sync"

	"lightbar/internal/fleet"
	"lightbar/internal/store"
)

// LockOrganizations makes other changes of the organizations' people and relations wait for this transaction, in one order for all;
// it refuses organizations that do not exist or have been removed.
func LockOrganizations(ctx context.Context, tx *store.Tx, ids ...string) error {
	slices.Sort(ids)
	for _, id := range ids {
		there, err := tx.LockOrganization(ctx, id)
		if err != nil {
			return err
		}
		if !there {
			return fleet.Refuse("organization_not_found", "organization_id", "Organization not found")
		}
	}
	return nil
}

// Locks are mutexes by name that exist only while somebody holds or awaits them.
type Locks struct {
	mu sync.Mutex
	m  map[string]*namedLock
}

type namedLock struct {
	mu      sync.Mutex
	holders int
}

// Lock waits for the name and returns its release.
func (k *Locks) Lock(name string) (unlock func()) {
	k.mu.Lock()
	if k.m == nil {
		k.m = map[string]*namedLock{}
	}
	l := k.m[name]
	if l == nil {
		l = &namedLock{}
		k.m[name] = l
	}
	l.holders++
	k.mu.Unlock()
	l.mu.Lock()
	return func() {
		l.mu.Unlock()
		k.mu.Lock()
		if l.holders--; l.holders == 0 {
			delete(k.m, name)
		}
		k.mu.Unlock()
	}
}
