package live

import (
	"runtime"
	"sync"
	"testing"
)

// Who comes later is let in later, and whoever has left stands behind those who waited.
func TestTheLineKeepsItsOrder(t *testing.T) {
	var l line
	var order []int // changed by who is in alone
	var all sync.WaitGroup
	l.enter()
	for i := range 20 {
		all.Go(func() {
			l.enter()
			order = append(order, i)
			l.leave()
		})
		for l.length() <= i {
			runtime.Gosched()
		}
	}
	l.leave()
	l.enter()
	order = append(order, 20)
	l.leave()
	all.Wait()
	for i := range 21 {
		if order[i] != i {
			t.Fatalf("order %v", order)
		}
	}
}
