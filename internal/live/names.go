package live

import (
	"slices"

	"lightbar/internal/store"
)

// names are the names that devices may use for an organization's assets: system names and external ids, in any letter case. A name
// belongs to one asset; only in a database from before that law several can have the same, and then it finds none of them.
type names struct {
	by     map[string]int32   // by key (store.SystemKey), and as it is spelled: found without folding case
	shared map[string][]int32 // keys of several assets
}

func (n *names) add(slot int32, name string) {
	if name == "" {
		return
	}
	key := store.SystemKey(name)
	first, taken := n.by[key]
	if !taken {
		n.by[key] = slot
	} else if first != slot || n.shared[key] != nil {
		if n.shared == nil {
			n.shared = map[string][]int32{}
		}
		if n.shared[key] == nil {
			n.shared[key] = []int32{first}
		}
		if !slices.Contains(n.shared[key], slot) {
			n.shared[key] = append(n.shared[key], slot)
		}
	}
	if _, taken := n.by[name]; !taken {
		n.by[name] = slot
	}
}

func (n *names) remove(slot int32, name string) {
	key := store.SystemKey(name)
	for _, spelling := range [2]string{key, name} {
		if at, ok := n.by[spelling]; ok && at == slot {
			delete(n.by, spelling)
		}
	}
	of := n.shared[key]
	if of == nil {
		return
	}
	of = slices.DeleteFunc(of, func(s int32) bool { return s == slot })
	if len(of) > 0 {
		n.by[key] = of[0]
	}
	if len(of) > 1 {
		n.shared[key] = of
	} else {
		delete(n.shared, key)
	}
}

// holders are the assets that have a name, in any letter case.
func (n *names) holders(name string) []int32 {
	key := store.SystemKey(name)
	if of := n.shared[key]; of != nil {
		return of
	}
	if slot, ok := n.by[key]; ok {
		return []int32{slot}
	}
	return nil
}

// slotOf finds the asset of a name; if several have it, the one with exactly this spelling.
func (p *Picture) slotOf(n *names, name string) (slot int32, ok bool) {
	if len(n.shared) > 0 {
		if of := n.shared[lower(name)]; of != nil {
			found := 0
			for _, s := range of {
				if t := p.entries[s].thing; t.SystemName == name || t.ExternalID == name {
					slot = s
					found++
				}
			}
			return slot, found == 1
		}
	}
	if slot, ok = n.by[name]; !ok {
		slot, ok = n.by[lower(name)]
	}
	return slot, ok
}

// Named returns the ids of an organization's assets that have a system name or external id, in any letter case.
func (p *Picture) Named(organizationID, name string) []string {
	p.mu.RLock()
	defer p.mu.RUnlock()
	v := p.orgs[organizationID]
	if v == nil || name == "" {
		return nil
	}
	var out []string
	for _, slot := range v.names.holders(name) {
		out = append(out, p.entries[slot].thing.ID)
	}
	return out
}
