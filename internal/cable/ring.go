package cable

import (
	"sync"
	"time"

	"lightbar/internal/bus"
)

// entry is one frame stored for resumes. It never changes.
type entry struct {
	first uint64
	items []bus.Item
	size  int
	at    time.Time
}

func (e *entry) next() uint64 { return e.first + uint64(len(e.items)) }

// itemOverhead is how much memory an item takes besides its texts.
const itemOverhead = 64

func sizeOf(f *bus.Frame) int {
	n := itemOverhead
	for i := range f.Items {
		n += itemOverhead + len(f.Items[i].Key) + len(f.Items[i].Body)
	}
	return n
}

// ring bounds what all streams of the node keep: by bytes first, then by time.
// It knows only the order of arrival; the entries belong to their streams.
type ring struct {
	mu       sync.Mutex
	kept     []kept
	head     int // first of kept that has not been removed
	bytes    int
	maxBytes int
	maxAge   time.Duration
}

type kept struct {
	stream *stream
	entry  *entry
}

// add counts an entry that its stream has just taken, and lets go of the oldest
// entries beyond the bounds. The caller must not hold a stream's lock.
func (r *ring) add(s *stream, e *entry) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.kept = append(r.kept, kept{s, e})
	r.bytes += e.size
	r.trim(e.at)
}

// expire removes what is too old.
func (r *ring) expire(now time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.trim(now)
}

func (r *ring) trim(now time.Time) {
	for r.head < len(r.kept) {
		k := r.kept[r.head]
		if r.bytes <= r.maxBytes && now.Sub(k.entry.at) <= r.maxAge {
			break
		}
		k.stream.forget(k.entry)
		r.bytes -= k.entry.size
		r.kept[r.head] = kept{}
		r.head++
	}
	if r.head > 1024 && r.head > len(r.kept)/2 {
		n := copy(r.kept, r.kept[r.head:])
		clear(r.kept[n:])
		r.kept, r.head = r.kept[:n], 0
	}
}

// size is the number of bytes stored.
func (r *ring) size() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.bytes
}
