package read

import "hash/maphash"

// seen remembers ids by their hashes alone: a million of them in 16 MB, where a
// map of Go takes four times as much while it grows. The zero value is not of
// use: newSeen.
type seen struct {
	seed  maphash.Seed // of this document: nobody can make two ids collide
	slots []uint64     // 0 = free
	count int
}

func newSeen() *seen { return &seen{seed: maphash.MakeSeed(), slots: make([]uint64, 1024)} }

// add remembers an id, and reports whether it was there already.
func (s *seen) add(id string) bool {
	hash := max(maphash.String(s.seed, id), 1)
	if s.put(hash) {
		return true
	}
	if s.count++; s.count*4 > len(s.slots)*3 {
		before := s.slots
		s.slots = make([]uint64, 2*len(before))
		for _, h := range before {
			if h != 0 {
				s.put(h)
			}
		}
	}
	return false
}

// put takes the hash's slot or the next free one.
func (s *seen) put(hash uint64) bool {
	mask := uint64(len(s.slots) - 1)
	for i := hash & mask; ; i = (i + 1) & mask {
		switch s.slots[i] {
		case hash:
			return true
		case 0:
			s.slots[i] = hash
			return false
		}
	}
}
