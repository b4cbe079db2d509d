package live

import "sync"

// line lets one in at a time, in the order in which they came. With a
// sync.Mutex whoever has just left may overtake everybody who waits: a verb
// that works in many pieces would keep reports out between them.
type line struct {
	mu      sync.Mutex
	held    bool
	waiting []chan struct{}
}

func (l *line) enter() {
	l.mu.Lock()
	if !l.held {
		l.held = true
		l.mu.Unlock()
		return
	}
	mine := make(chan struct{})
	l.waiting = append(l.waiting, mine)
	l.mu.Unlock()
	<-mine
}

func (l *line) leave() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.waiting) == 0 {
		l.held = false
		return
	}
	next := l.waiting[0]
	l.waiting[0] = nil
	l.waiting = l.waiting[1:]
	close(next) // it is held on, by the next one
}

func (l *line) length() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.waiting)
}
