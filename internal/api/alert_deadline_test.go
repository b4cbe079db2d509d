package api_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"os"
	"sync"
	"testing"
	"time"
)

// deadlines is a connection that says which deadlines it had when it was written to.
type deadlines struct {
	http.ResponseWriter
	mu          sync.Mutex
	read, write time.Time
	had         []time.Time // at each write
	wrote       chan struct{}
	fails       error
}

func (d *deadlines) Write(p []byte) (int, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.had = append(d.had, d.write)
	select {
	case d.wrote <- struct{}{}:
	default:
	}
	return len(p), d.fails
}

func (d *deadlines) SetReadDeadline(t time.Time) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.read = t
	return nil
}

func (d *deadlines) SetWriteDeadline(t time.Time) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.write = t
	return nil
}

// A stream of alerts gives each write its time and no more, and none to what waits.
func TestAStreamSetsItsDeadlines(t *testing.T) {
	d := newDrivers(t)
	serve := func() (*deadlines, any) {
		ctx, cancel := context.WithCancel(context.WithoutCancel(t.Context()))
		defer cancel()
		w := &deadlines{ResponseWriter: httptest.NewRecorder(), read: time.Unix(1, 0), write: time.Unix(1, 0), wrote: make(chan struct{}, 1)}
		r := httptest.NewRequestWithContext(ctx, http.MethodGet, "http://localhost"+d.path, http.NoBody)
		ended := make(chan any)
		go func() {
			defer func() { ended <- recover() }()
			d.Server.Config.Handler.ServeHTTP(w, r)
		}()
		<-w.wrote
		cancel()
		return w, <-ended
	}
	w, end := serve()
	if end != nil || !w.read.IsZero() || !w.write.IsZero() || len(w.had) == 0 {
		t.Errorf("%v, deadlines afterwards: %v %v", end, w.read, w.write)
	}
	for _, at := range w.had {
		if !at.After(time.Now()) || at.After(time.Now().Add(time.Minute)) {
			t.Errorf("written until %v", at)
		}
	}
}

func (d *deadlines) Flush() {}

// A stream that cannot be written is cut off: its reader must not take that for the end of an answer.
func TestAStreamThatCannotBeWrittenIsCutOff(t *testing.T) {
	d := newDrivers(t)
	w := &deadlines{ResponseWriter: httptest.NewRecorder(), wrote: make(chan struct{}, 1), fails: os.ErrDeadlineExceeded}
	defer func() {
		if end := recover(); end != http.ErrAbortHandler {
			t.Errorf("it ended with %v", end)
		}
	}()
	d.Server.Config.Handler.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "http://localhost"+d.path, http.NoBody))
}
