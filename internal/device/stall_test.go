package device_test

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"lightbar/catalog"
	"lightbar/internal/api"
	"lightbar/internal/app"
	"lightbar/internal/budget"
	"lightbar/internal/device"
	"lightbar/internal/store/storetest"
)

// door is ingest on a real port. It counts what the server has read of bodies.
type door struct {
	*room
	budget  *budget.Budget
	address string
	read    atomic.Int64
	ended   atomic.Int64 // requests that are answered
}

type counted struct {
	io.ReadCloser
	d *door
}

func (c counted) Read(p []byte) (int, error) {
	n, err := c.ReadCloser.Read(p)
	c.d.read.Add(int64(n))
	return n, err
}

func newDoor(t *testing.T) *door {
	d := &door{room: newRoom(t, storetest.SQLite(t)), budget: &budget.Budget{}}
	h := device.New(d.App, device.Options{Budget: d.budget})
	server := api.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer d.ended.Add(1)
		r.Body = counted{r.Body, d}
		h.ServeHTTP(w, r)
	}))
	server.ReadTimeout = 0 // what ends a stalled body here is the budget
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	d.address = l.Addr().String()
	go func() { _ = server.Serve(l) }()
	t.Cleanup(func() { _ = server.Close() })
	return d
}

// stall begins n requests and sends all of their body but the last bytes.
func (d *door) stall(n int, head, body string) []net.Conn {
	d.t.Helper()
	held := len(body) - 16
	before, ended := d.read.Load(), d.ended.Load()
	conns := make([]net.Conn, n)
	for i := range conns {
		c, err := net.Dial("tcp", d.address)
		if err != nil {
			d.t.Fatal(err)
		}
		d.t.Cleanup(func() { _ = c.Close() })
		if _, err := fmt.Fprintf(c, "%s\r\nHost: x\r\nContent-Length: %d\r\n\r\n%s", head, len(body), body[:held]); err != nil {
			d.t.Fatal(err)
		}
		conns[i] = c
	}
	for end := time.Now().Add(time.Minute); ; time.Sleep(time.Millisecond) {
		done := d.ended.Load() - ended
		if d.read.Load()-before+done*int64(held) >= int64(n*held) {
			return conns
		}
		if time.Now().After(end) {
			d.t.Fatalf("%d of %d bytes read, %d answered", d.read.Load()-before, n*held, done)
		}
	}
}

// live is the memory in use, in bytes. What the system says is resident also
// counts the race detector's shadow of all that was ever touched.
func live() int64 {
	runtime.GC()
	runtime.GC() // the second one empties the pools
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc + m.StackInuse)
}

// Bodies that stop before their end hold no more than the budget, whoever sends them.
func TestStalledBodiesHoldLittle(t *testing.T) {
	d := newDoor(t)
	packed := zip(t, strings.Repeat(" ", 8<<20))
	plain := `{"items":[]` + strings.Repeat(" ", 1<<20-13) + `}`
	key := "Authorization: Bearer " + d.key
	for _, c := range []struct{ name, head, body string }{
		{"packed, by a stranger", "POST /api/ingest/osmand HTTP/1.1\r\nContent-Encoding: gzip", packed},
		{"a form, by a stranger", "POST /api/ingest/osmand HTTP/1.1", "id=x&lat=" + strings.Repeat("1", 15<<10)},
		{"packed, by a key", "POST /api/ingest HTTP/1.1\r\nContent-Encoding: gzip\r\n" + key, packed},
		{"by a key", "POST /api/ingest HTTP/1.1\r\n" + key, plain},
	} {
		before := live()
		conns := d.stall(200, c.head, c.body)
		grown := live() - before
		held := d.budget.Stats().Held
		t.Logf("%s: %d MiB more in use, %d MiB held", c.name, grown>>20, held>>20)
		if grown > 64<<20 {
			t.Errorf("%s: 200 bodies that stopped take %d MiB", c.name, grown>>20)
		}
		for _, conn := range conns {
			_ = conn.Close()
		}
		for end := time.Now().Add(time.Minute); d.budget.Stats() != (budget.Stats{Refused: d.budget.Stats().Refused, Stalled: d.budget.Stats().Stalled}); time.Sleep(time.Millisecond) {
			if time.Now().After(end) {
				t.Fatalf("%s: not given back: %+v", c.name, d.budget.Stats())
			}
		}
	}
}

// A sender that stops is told so and let go.
func TestStalledBodiesEnd(t *testing.T) {
	if err := catalog.SetLimits(map[string]float64{"http.bodyStallMs": 1000}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = catalog.SetLimits(nil) })
	d := newDoor(t)
	body := `{"items":[]` + strings.Repeat(" ", 4<<10) + `}`
	head := "POST /api/ingest HTTP/1.1\r\nAuthorization: Bearer " + d.key
	conn := d.stall(1, head, body)[0]
	_ = conn.SetReadDeadline(time.Now().Add(time.Minute))
	answer, err := io.ReadAll(conn)
	if err != nil || !strings.Contains(string(answer), " 408 ") || !strings.Contains(string(answer), "timed_out") {
		t.Errorf("%v %s", err, answer)
	}
	if st := d.budget.Stats(); st.Held != 0 || st.Calls != 0 || st.Stalled != 1 {
		t.Errorf("%+v", st)
	}
}

// Who reports is looked up before the body is read, when the address says it.
func TestTrackersBodies(t *testing.T) {
	d := newDoor(t)
	things, _, err := d.ListThings(t.Context(), d.user, app.ThingQuery{})
	if err != nil {
		t.Fatal(err)
	}
	secret := d.Key(d.org, things[0].ID)
	send := func(query, encoding, body string) (int, string) {
		t.Helper()
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://"+d.address+"/api/ingest/osmand"+query, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		if encoding != "" {
			req.Header.Set("Content-Encoding", encoding)
		}
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = res.Body.Close() }()
		text, _ := io.ReadAll(res.Body)
		return res.StatusCode, string(text)
	}
	const at = "lat=39.7&lon=-75.5"
	long, longer := at+"&x="+strings.Repeat("x", 20<<10), at+"&x="+strings.Repeat("x", 8<<20)
	for _, c := range []struct {
		name, query, encoding, body string
		want                        int
	}{
		{"id in the form", "", "", "id=" + secret + "&" + at, 200},
		{"id in the query, packed", "?id=" + secret, "gzip", zip(t, at), 200},
		{"id in a packed body", "", "gzip", zip(t, "id="+secret+"&"+at), 415},
		{"long", "?id=" + secret, "", long, 200},
		{"long, packed", "?id=" + secret, "gzip", zip(t, long), 200},
		{"too long", "?id=" + secret, "", longer, 413},
		{"too long, packed", "?id=" + secret, "gzip", zip(t, longer), 413},
		{"too long, by nobody", "", "", long, 413},
		{"another id, and a packed body that is none", "?id=wrong", "gzip", "x", 401},
		{"another id inside", "?id=wrong", "", `{"device_id":"` + secret + `","location":{"coords":{"latitude":1,"longitude":1}}}`, 401},
	} {
		if status, text := send(c.query, c.encoding, c.body); status != c.want {
			t.Errorf("%s: %d %s", c.name, status, text)
		}
	}
}
