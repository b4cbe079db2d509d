package live

import "sync"

// line is a lock that admits waiters in order of arrival. A sync.Mutex would
// let the goroutine that has just unlocked it lock it again: a verb that works
// in many pieces would keep reports out.
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
	close(next) // still held, now by the next one
}

func (l *line) length() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.waiting)
}
