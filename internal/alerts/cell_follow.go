package alerts

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"sync"
)

// Message is an event as followers of cells get it, in JSON: {"event", "data"}, with the data of the stream's event. The bytes are
// shared.
type Message struct {
	Cell  Cell
	IsAll bool // for no cell: the whole organization has been sent
	Data  []byte
}

// ErrEnded is the end of a follower who may not go on: its key counts no longer, or alerts are not public any more.
var ErrEnded = errors.New("alerts: the reader may not go on")

func alertMessage(feature []byte) []byte {
	return append(append([]byte(`{"event":"alert","data":`), feature...), '}')
}

func goneMessage(id string) []byte { return []byte(`{"event":"gone","data":{"id":"` + id + `"}}`) }

var readyMessage = []byte(`{"event":"ready","data":{}}`)

// CellFollower follows cells of one organization, or all of it. It gets everything about an alert once, whichever of its cells the
// alert lies in.
type CellFollower struct {
	seat
	more chan struct{} // holds one: it follows others than before

	mu       sync.Mutex
	cells    map[Cell]struct{}
	isAll    bool
	fresh    map[Cell]struct{} // requested, and not sent yet
	freshAll bool
	left     bool            // it left some
	knows    map[uint64]Cell // where an alert was last sent, by the alert's number
}

// JoinCells takes a place for a follower that follows nothing yet; Run gives it back. Refusals: busy, rate_limited.
func (h *Hub) JoinCells(ctx context.Context, r Request) (*CellFollower, error) {
	s, err := h.sit(ctx, r)
	if err != nil {
		return nil, err
	}
	b := s.board
	b.mu.Lock()
	defer b.mu.Unlock()
	b.cellFollowers++ // from now on there are messages
	s.next = b.first + uint64(len(b.log))
	return &CellFollower{seat: s, more: make(chan struct{}, 1), cells: map[Cell]struct{}{}, fresh: map[Cell]struct{}{},
		knows: map[uint64]Cell{}}, nil
}

// Follow adds a cell: its alerts are sent, even if it was followed before.
func (f *CellFollower) Follow(c Cell) { f.change(func() { f.fresh[c] = struct{}{} }) }

// FollowAll adds all of the organization.
func (f *CellFollower) FollowAll() { f.change(func() { f.freshAll = true }) }

// Leave removes a cell. Alerts that also lie in another followed cell are sent again there.
func (f *CellFollower) Leave(c Cell) {
	f.change(func() {
		delete(f.cells, c)
		delete(f.fresh, c)
		f.left = true
	})
}

// LeaveAll follows single cells alone.
func (f *CellFollower) LeaveAll() {
	f.change(func() { f.isAll, f.freshAll, f.left = false, false, true })
}

func (f *CellFollower) change(do func()) {
	f.mu.Lock()
	do()
	f.mu.Unlock()
	select {
	case f.more <- struct{}{}:
	default:
	}
}

// Run hands messages to send until ctx ends, send fails, the reader falls behind (ErrSlow), may not go on (ErrEnded), or the
// server stops (ErrOver).
func (f *CellFollower) Run(ctx context.Context, send func([]Message) error) error {
	h := f.board.hub
	defer func() {
		f.board.mu.Lock()
		f.board.cellFollowers--
		f.board.mu.Unlock()
		f.leave()
	}()
	var out []Message
	for {
		var changed <-chan struct{}
		var err error
		if out, changed, err = f.read(out[:0]); err != nil {
			h.counts.slow.Add(1)
			return err
		}
		if len(out) > 0 {
			for i := range out {
				h.counts.bytes.Add(int64(len(out[i].Data)))
			}
			if err := send(out); err != nil {
				return err
			}
		}
		select {
		case <-f.audience.ended:
			return ErrEnded
		default:
		}
		if len(out) > 0 {
			continue // there may be more by now
		}
		select {
		case <-changed:
		case <-f.more:
		case <-ctx.Done():
			return ctx.Err()
		case <-f.audience.ended:
			return ErrEnded
		case <-h.stop:
			return ErrOver
		}
	}
}

// read appends what is new for the follower.
func (f *CellFollower) read(out []Message) (_ []Message, changed <-chan struct{}, err error) {
	b := f.board
	b.mu.RLock()
	defer b.mu.RUnlock()
	news, err := f.news()
	if err != nil {
		return nil, nil, err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, batch := range news {
		for i := range batch.events {
			out = f.tell(out, &batch.events[i])
		}
	}
	if f.left {
		f.left = false
		out = f.repick(out)
	}
	if f.freshAll || len(f.fresh) > 0 {
		out = f.stand(out)
	}
	return out, b.changed, nil
}

// pick is the followed cell in which an alert is sent; false when none is followed.
func (f *CellFollower) pick(cells []Cell) (Cell, bool) {
	if f.isAll {
		return cells[0], true
	}
	for _, c := range cells {
		if _, ok := f.cells[c]; ok {
			return c, true
		}
	}
	return 0, false
}

// tell appends an event. An alert that has left the followed cells is removed from the one where it was last sent.
func (f *CellFollower) tell(out []Message, e *event) []Message {
	last, known := f.knows[e.no]
	if !e.gone {
		if c, ok := f.pick(e.cells); ok {
			if !known || last != c { // most stay where they are
				f.knows[e.no] = c
			}
			return append(out, Message{Cell: c, Data: e.message})
		}
	}
	if !known {
		return out
	}
	delete(f.knows, e.no)
	if e.gone {
		return append(out, Message{Cell: last, Data: e.message})
	}
	return append(out, Message{Cell: last, Data: goneMessage(e.id)})
}

// repick finds new cells for the alerts of a cell that was left.
func (f *CellFollower) repick(out []Message) []Message {
	for _, it := range f.board.items {
		last, known := f.knows[it.no]
		if _, stays := f.cells[last]; !known || stays || f.isAll {
			continue
		}
		if c, ok := f.pick(it.cells); ok {
			f.knows[it.no] = c
			out = append(out, Message{Cell: c, Data: it.told()})
		} else {
			delete(f.knows, it.no)
		}
	}
	return out
}

// stand appends all active alerts of the requested cells, in the order in which they were published, and that this is all.
func (f *CellFollower) stand(out []Message) []Message {
	in := func(cells []Cell) (Cell, bool) {
		for _, c := range cells {
			if _, ok := f.fresh[c]; ok {
				return c, true
			}
		}
		return cells[0], f.freshAll
	}
	var items []*item
	for _, it := range f.board.items {
		if _, ok := in(it.cells); ok {
			items = append(items, it)
		}
	}
	slices.SortFunc(items, func(x, y *item) int { return cmp.Compare(x.seq, y.seq) })
	for _, it := range items {
		c, _ := in(it.cells)
		f.knows[it.no] = c
		out = append(out, Message{Cell: c, Data: it.told()})
	}
	for c := range f.fresh {
		f.cells[c] = struct{}{}
		out = append(out, Message{Cell: c, Data: readyMessage})
	}
	if f.freshAll {
		f.isAll = true
		out = append(out, Message{IsAll: true, Data: readyMessage})
	}
	f.freshAll = false
	clear(f.fresh)
	return out
}

// told is an item's message; it was already made if somebody followed cells then.
func (it *item) told() []byte {
	if it.message != nil {
		return it.message
	}
	return alertMessage(it.data)
}
