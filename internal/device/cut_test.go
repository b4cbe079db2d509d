package device_test

import (
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"lightbar/internal/fleet"
	"lightbar/internal/store"
	"lightbar/internal/store/storetest"
)

// cable lies between a server and its database, and can be cut.
type cable struct {
	listener net.Listener
	to       string // socket of the database
	mu       sync.Mutex
	open     map[net.Conn]bool
}

func newCable(t *testing.T, databaseURL string) (c *cable, through string) {
	t.Helper()
	u, err := url.Parse(databaseURL)
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	q := u.Query()
	c = &cable{listener: l, to: filepath.Join(q.Get("host"), ".s.PGSQL.5432"), open: map[net.Conn]bool{}}
	host, port, _ := net.SplitHostPort(l.Addr().String())
	q.Set("host", host)
	q.Set("port", port)
	q.Set("sslmode", "disable")
	u.RawQuery = q.Encode()
	go c.serve()
	t.Cleanup(func() { _ = l.Close(); c.cut() })
	return c, u.String()
}

func (c *cable) serve() {
	for {
		near, err := c.listener.Accept()
		if err != nil {
			return
		}
		far, err := net.Dial("unix", c.to)
		if err != nil {
			_ = near.Close()
			continue
		}
		c.mu.Lock()
		c.open[near], c.open[far] = true, true
		c.mu.Unlock()
		for _, pair := range [][2]net.Conn{{near, far}, {far, near}} {
			go func() {
				_, _ = io.Copy(pair[0], pair[1])
				_, _ = near.Close(), far.Close()
				c.mu.Lock()
				delete(c.open, near)
				delete(c.open, far)
				c.mu.Unlock()
			}()
		}
	}
}

// cut ends every connection that is open.
func (c *cable) cut() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for conn := range c.open {
		_ = conn.Close()
	}
}

// A database that loses its connections under load costs no report: senders are
// told to come again, and what was acknowledged is there.
func TestACutDatabaseConnectionLosesNothing(t *testing.T) {
	c, through := newCable(t, storetest.PostgresURL(t))
	s, err := store.Open(t.Context(), store.Options{URL: through, Log: slog.New(slog.NewTextHandler(io.Discard, nil))})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	r := newRoom(t, s)
	const senders, batches, cuts = 6, 40, 15
	var answered, acknowledged, refused atomic.Int64
	next := make(chan struct{}, senders*batches)
	var all sync.WaitGroup
	for n := range senders {
		all.Go(func() {
			for i := 0; i < batches; {
				at := r.At() - fleet.Instant(1+n*batches+i)*1000
				body := fmt.Sprintf(`{"items":[{"type":"point","asset":"HA7-0","at":"%s","lat":39.7,"lng":-75.5}]}`, at)
				req := httptest.NewRequest(http.MethodPost, "/api/ingest", strings.NewReader(body))
				req.Header.Set("Authorization", "Bearer "+r.key)
				w := httptest.NewRecorder()
				r.h.ServeHTTP(w, req)
				answered.Add(1)
				select {
				case next <- struct{}{}:
				default:
				}
				switch w.Code {
				case 200:
					acknowledged.Add(1)
					i++
				case 429, 503:
					refused.Add(1)
				default:
					t.Errorf("answered %d %s", w.Code, w.Body)
					i++
				}
			}
		})
	}
	for range cuts {
		for range senders {
			<-next
		}
		c.cut()
	}
	all.Wait()
	stored, err := s.CountPoints(t.Context())
	for range 20 { // the pool still holds connections that were cut
		if err == nil {
			break
		}
		stored, err = s.CountPoints(t.Context())
	}
	if err != nil || stored != senders*batches || acknowledged.Load() != senders*batches {
		t.Errorf("%d acknowledged, %d stored, %v", acknowledged.Load(), stored, err)
	}
	if refused.Load() == 0 {
		t.Error("no cut was noticed")
	}
}
