package live

import "lightbar/internal/fleet"

// IsShared reports whether an asset of an organization (empty = any) has a relation of its own to another one.
func IsShared(t *fleet.Thing, organizationID, otherID string) bool {
	if organizationID != "" && t.OrganizationID != organizationID {
		return false
	}
	for _, r := range t.Relations {
		if r.OrganizationID == otherID {
			return true
		}
	}
	return false
}

// Shared lists the assets of an organization (empty = of all) that have a
// relation of their own to another one, by number.
func (p *Picture) Shared(organizationID, otherID string) (out []*fleet.Thing) {
	p.mu.RLock()
	defer p.mu.RUnlock()
	p.each([]string{otherID}, func(slot int32) {
		if t := p.entries[slot].thing; IsShared(t, organizationID, otherID) {
			out = append(out, t)
		}
	})
	return out
}

// SharedByOther counts the assets of an organization by the organizations they
// have a relation of their own to.
func (p *Picture) SharedByOther(organizationID string) map[string]int {
	p.mu.RLock()
	defer p.mu.RUnlock()
	out := map[string]int{}
	p.each([]string{organizationID}, func(slot int32) {
		t := p.entries[slot].thing
		if t.OrganizationID != organizationID {
			return
		}
		for _, r := range t.Relations {
			out[r.OrganizationID]++
		}
	})
	return out
}
