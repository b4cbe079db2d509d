package cable

import "sync"

// replayChunkBytes is about how much of a replay is encoded at a time.
const replayChunkBytes = 128 << 10

// replay is what a resuming socket has missed, encoded piece by piece as the socket takes it. Sockets that resume at the same
// position share one.
type replay struct {
	audience audience
	streamID string
	epoch    string
	entries  []*entry
	from     uint64 // first offset wanted

	mu     sync.Mutex
	taken  int // entries already encoded
	chunks [][]byte
}

// chunk returns piece i ready for the wire, nil when there is no more.
func (r *replay) chunk(i int) []byte {
	r.mu.Lock()
	defer r.mu.Unlock()
	for len(r.chunks) <= i {
		b := r.encodeNext()
		if b == nil {
			return nil
		}
		r.chunks = append(r.chunks, b)
	}
	return r.chunks[i]
}

// encodeNext encodes the next entries up to about replayChunkBytes; entries of
// which the audience sees nothing are passed over.
func (r *replay) encodeNext() []byte {
	for r.taken < len(r.entries) {
		var spans []span
		for size := 0; r.taken < len(r.entries) && size < replayChunkBytes; r.taken++ {
			e := r.entries[r.taken]
			s := span{first: e.first, items: e.items}
			if skip := int64(r.from) - int64(e.first); skip > 0 {
				s = span{first: r.from, items: e.items[skip:]}
			}
			spans = append(spans, s)
			size += e.size
		}
		if b := r.audience.appendData(nil, r.streamID, r.epoch, spans); len(b) > 0 {
			return b
		}
	}
	return nil
}
