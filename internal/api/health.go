package api

import (
	"context"
	"net/http"
	"sync"
	"syscall"
	"time"
)

const (
	readyWithin = 2 * time.Second
	readyEvery  = time.Second // probes in between get the last answer
	// readyMinFree in bytes is what a store that was full waits for until it takes
	// rows again (twice its reserve): both must say the same of one disk.
	readyMinFree = 16 << 20
)

// readiness remembers the last probe: /readyz is open to everybody and must
// not turn into a way to make the server write.
type readiness struct {
	mu     sync.Mutex
	at     time.Time
	reason string
}

func (s *server) livez(w http.ResponseWriter, r *http.Request) {
	noStore(w)
	_, _ = w.Write([]byte("ok\n"))
}

// readyz answers 200 when a row can be written and is on the disk within 2 s
// and there is room; 503 with the reason otherwise. The schema is current
// whenever the store is open.
func (s *server) readyz(w http.ResponseWriter, r *http.Request) {
	noStore(w)
	if reason := s.notReady(r.Context()); reason != "" {
		f := fail("not_ready")
		f.Message = reason
		f.headers.Set("Retry-After", "5")
		f.write(w, r)
		return
	}
	_, _ = w.Write([]byte("ready\n"))
}

func (s *server) notReady(ctx context.Context) string {
	s.readiness.mu.Lock()
	defer s.readiness.mu.Unlock()
	if time.Since(s.readiness.at) >= readyEvery {
		s.readiness.reason = s.probe(ctx)
		s.readiness.at = time.Now()
	}
	return s.readiness.reason
}

func (s *server) probe(ctx context.Context) string {
	if s.options.Ready != nil {
		if err := s.options.Ready(); err != nil {
			return err.Error()
		}
	}
	if s.options.DataDir != "" {
		var fs syscall.Statfs_t
		if err := syscall.Statfs(s.options.DataDir, &fs); err == nil && fs.Bavail*uint64(fs.Bsize) < readyMinFree {
			return "The disk is nearly full."
		}
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), readyWithin)
	defer cancel()
	if err := s.app.Probe(ctx); err != nil {
		if s.readiness.reason == "" { // once, not every second of a bad day
			s.app.Log.Warn("not ready", "error", err)
		}
		return "The database can't write a row within 2 seconds."
	}
	return ""
}
