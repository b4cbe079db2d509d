package bus

import (
	"sync"

	"lightbar/internal/fleet"
)

const (
	// pendingBound limits the bytes that wait for a frame: when a cluster cannot
	// be reached they are dropped with a hole in the numbers, never kept for ever.
	pendingBound = 64 << 20
	// payloadBound keeps an encoded frame below NATS' default MaxPayload of 1 MiB.
	payloadBound = 1<<20 - 4096
	// markFor is how many quiet flushes an organization is still marked (an empty
	// frame with the next number), so that a lost last frame is noticed.
	markFor = 12
	// markEach is how many quiet flushes lie between two marks.
	markEach = 4
)

// coalescer gathers messages between two frames. Of points and of heartbeats it
// keeps only the newest of each thing; all other messages stay as they came, in order.
type coalescer struct {
	mu    sync.Mutex
	orgs  map[string]*pending
	dirty []*pending // organizations with something to send, by first message
	quiet []*pending // organizations that are still marked
	bytes int
}

// pending is what waits for one organization. It outlives its frames because it holds the numbers.
type pending struct {
	organization string
	next         uint64 // offset of the next message
	items        []waiting
	newest       map[newestOf]int // index into items
	quietFor     int
	marked       bool
}

type waiting struct {
	Item
	at   fleet.Instant
	gone bool // a newer one came
}

type newestOf struct {
	t   fleet.MessageType
	key string
}

func (c *coalescer) init() { c.orgs = map[string]*pending{} }

// add takes messages for all their audiences; true when the bound was passed and everything waiting was dropped.
func (c *coalescer) add(messages []fleet.Message) (dropped bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for i := range messages {
		e := &messages[i]
		for _, org := range e.Audience {
			p := c.orgs[org]
			if p == nil {
				p = &pending{organization: org, next: 1}
				c.orgs[org] = p
			}
			if len(p.items) == 0 {
				c.dirty = append(c.dirty, p)
			}
			c.bytes += p.add(e)
		}
		if c.bytes > pendingBound {
			c.drop()
			dropped = true
		}
	}
	return dropped
}

// drop forgets what waits and leaves a hole in the numbers of its organizations.
func (c *coalescer) drop() {
	for _, p := range c.dirty {
		p.next += uint64(len(p.items))
		p.reset()
		c.mark(p)
	}
	c.dirty, c.bytes = nil, 0
}

// add appends a message and answers the change of bytes. A point or heartbeat
// replaces the older one of its thing and moves to the end, behind everything
// that was said about the thing in between.
func (p *pending) add(e *fleet.Message) int {
	size := len(e.Body) + len(e.Key)
	if e.Type == fleet.MessagePoint || e.Type == fleet.MessageHeartbeat {
		k := newestOf{e.Type, e.Key}
		if i, ok := p.newest[k]; ok {
			old := &p.items[i]
			if old.at > e.At {
				return 0
			}
			size -= len(old.Body) + len(old.Key)
			old.Body, old.gone = nil, true
		}
		if p.newest == nil {
			p.newest = map[newestOf]int{}
		}
		p.newest[k] = len(p.items)
	}
	p.items = append(p.items, waiting{Item: Item{Type: e.Type, Key: e.Key, Body: e.Body}, at: e.At})
	return size
}

// reset forgets the items but not the numbers.
func (p *pending) reset() {
	clear(p.items) // the bodies belong to the frames now
	p.items = p.items[:0]
	clear(p.newest)
}

// mark puts an organization on the list of those that still get marks.
func (c *coalescer) mark(p *pending) {
	p.quietFor = 0
	if !p.marked {
		p.marked = true
		c.quiet = append(c.quiet, p)
	}
}

// take turns what waits into numbered frames, split to fit a payload, followed
// by the marks that are due. tooLarge counts messages that fit no frame: they
// leave a hole in the numbers.
func (c *coalescer) take(epoch string, at fleet.Instant) (frames []Frame, tooLarge int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	frames = c.takeMarks(epoch, at)
	for _, p := range c.dirty {
		f := Frame{Organization: p.organization, Epoch: epoch, First: p.next, At: at}
		size := f.headSize()
		for i := range p.items {
			if p.items[i].gone {
				continue
			}
			item := p.items[i].Item
			n := item.size()
			if n+f.headSize() > payloadBound {
				tooLarge++
				p.next++
				if len(f.Items) > 0 {
					frames = append(frames, f)
				}
				f.First, f.Items, size = p.next, nil, f.headSize()
				continue
			}
			if size+n > payloadBound {
				frames = append(frames, f)
				f.First, f.Items, size = p.next, nil, f.headSize()
			}
			f.Items = append(f.Items, item)
			size += n
			p.next++
		}
		if len(f.Items) > 0 {
			frames = append(frames, f)
		}
		p.reset()
		c.mark(p)
	}
	c.dirty, c.bytes = nil, 0
	return frames, tooLarge
}

// takeMarks makes the empty frames of organizations that fell quiet a moment ago.
func (c *coalescer) takeMarks(epoch string, at fleet.Instant) []Frame {
	var frames []Frame
	kept := c.quiet[:0]
	for _, p := range c.quiet {
		if len(p.items) == 0 {
			p.quietFor++
			if p.quietFor%markEach == 0 {
				frames = append(frames, Frame{Organization: p.organization, Epoch: epoch, First: p.next, At: at})
			}
		}
		if p.quietFor >= markFor {
			p.marked = false
			continue
		}
		kept = append(kept, p)
	}
	clear(c.quiet[len(kept):])
	c.quiet = kept
	return frames
}
