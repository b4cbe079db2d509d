package record

import (
	"runtime"
	"testing"
)

// A lock by name holds out others of that name alone, and is forgotten with its last holder.
func TestLocksByName(t *testing.T) {
	var locks Locks
	release := locks.Lock("a")
	locks.Lock("b")() // somebody else's
	entered, leave, left := make(chan struct{}), make(chan struct{}), make(chan struct{})
	go func() {
		defer close(left)
		release := locks.Lock("a")
		close(entered)
		<-leave
		release()
	}()
	for waiting := 0; waiting != 2; { // the holder, and who waits
		locks.mu.Lock()
		waiting = locks.m["a"].holders
		locks.mu.Unlock()
		runtime.Gosched()
	}
	select {
	case <-entered:
		t.Error("two hold one lock")
	default:
	}
	release()
	<-entered
	locks.mu.Lock()
	if locks.m["a"] == nil {
		t.Error("a lock is forgotten while it is held")
	}
	locks.mu.Unlock()
	close(leave)
	<-left
	if len(locks.m) != 0 {
		t.Errorf("%d locks that nobody holds are kept", len(locks.m))
	}
}
