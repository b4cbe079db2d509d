// Package bench_test measures durable ingest over real HTTP against the bare
// batch insert of the same rows, in one run:
//
//	go test ./internal/testkit/bench -run '^$' -bench Ingest -benchtime 1x
//
// Load and server share the machine's processors, as in docs/benchmarks.md.
package bench_test

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"lightbar/internal/access"
	"lightbar/internal/app"
	"lightbar/internal/bus"
	"lightbar/internal/device"
	"lightbar/internal/fleet"
	"lightbar/internal/geo"
	"lightbar/internal/geo/osm"
	"lightbar/internal/geo/route"
	"lightbar/internal/live"
	"lightbar/internal/record"
	"lightbar/internal/store"
	"lightbar/internal/store/engine"
	"lightbar/internal/store/storetest"
	"lightbar/internal/wire"
	"lightbar/internal/work"
)

var seconds = flag.Float64("ingest.seconds", 10, "length of each measurement in seconds")

const batchPoints = 50

// target is a whole ingest server: database, picture, bus, clock, HTTP.
type target struct {
	fleet *fleetLoad    // what its assets said last
	late  time.Duration // of what they say
	app   *app.App
	bus   *bus.Bus
	url   string
	key   string
	stop  func()

	organization string
	ids          []string // of its assets
}

// serve starts a server; street may be nil. With alone each request is a
// transaction of its own: what ingest would be without the group commit.
func serve(b *testing.B, s *store.Store, things int, street func(lat, lng, heading float64) string, alone bool) *target {
	b.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	picture := live.New(s, live.Options{Now: time.Now, NewID: app.NewID, Street: street})
	if err := picture.Load(ctx); err != nil {
		b.Fatal(err)
	}
	events, err := bus.Open(bus.Options{})
	if err != nil {
		b.Fatal(err)
	}
	a := app.New(app.Options{
		Base:      record.Base{Store: s, Live: picture, Bus: events, Log: quiet(), Now: time.Now, NewID: app.NewID, ServerKey: make([]byte, 32)},
		PublicURL: "http://localhost",
	})
	o, err := a.CreateOrganization(ctx, access.System(), fleet.Organization{Name: "Bench", Timezone: "UTC", CountryCode: "US", TypeName: "fire",
		EventWording: "default"})
	if err != nil {
		b.Fatal(err)
	}
	var ids []string
	for from := 0; from < things; from += 5000 {
		rows := make([]app.NewThing, min(5000, things-from))
		for i := range rows {
			rows[i] = app.NewThing{OrganizationID: o.ID, SystemName: name(from + i), Type: "fire"}
		}
		registered, err := a.RegisterThings(ctx, access.System(), rows)
		if err != nil {
			b.Fatal(err)
		}
		for i := range registered {
			ids = append(ids, registered[i].ID)
		}
	}
	_, key, err := a.CreateKey(ctx, access.System(), wire.KeyCreate{OrganizationID: wire.ID(o.ID), Description: "bench", Scopes: access.AllScopes()})
	if err != nil {
		b.Fatal(err)
	}
	wait := work.Start(ctx, a.Log, work.Tasks(a))
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	server := &http.Server{Handler: device.New(a, device.Options{})}
	if alone {
		server.Handler = oneByOne(server.Handler)
	}
	go func() { _ = server.Serve(l) }()
	return &target{app: a, bus: events, url: "http://" + l.Addr().String(), key: key, organization: o.ID, ids: ids, stop: func() {
		_ = server.Close()
		cancel()
		wait()
		if err := a.StopIngest(context.Background()); err != nil {
			b.Error(err)
		}
		if err := events.Close(context.Background()); err != nil {
			b.Error(err)
		}
	}}
}

// oneByOne lets one request in at a time, so that no two can share a commit.
func oneByOne(h http.Handler) http.Handler {
	var turn sync.Mutex
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		turn.Lock()
		defer turn.Unlock()
		h.ServeHTTP(w, r)
	})
}

// streets imports the demo's region, Delaware, and answers what names the
// street at a position there, as the server does it.
func streets(b *testing.B) func(lat, lng, heading float64) string {
	b.Helper()
	src := ""
	if dir, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/paulmach/osm").Output(); err == nil {
		src = filepath.Join(strings.TrimSpace(string(dir)), "testdata", "delaware-latest.osm.pbf")
	}
	if _, err := os.Stat(src); err != nil {
		b.Skipf("SKIPPED: the region of github.com/paulmach/osm is missing (%v): run go mod download", err)
	}
	folder := b.TempDir()
	if _, err := osm.Import(context.Background(), src, folder, osm.ImportOptions{}); err != nil {
		b.Fatal(err)
	}
	roads, err := route.OpenRoads(filepath.Join(folder, geo.RoadsFile))
	if err != nil {
		b.Fatal(err)
	}
	return func(lat, lng, heading float64) string {
		s, ok := roads.Nearest(lat, lng, heading)
		if !ok {
			return ""
		}
		return s.Label()
	}
}

func name(i int) string { return "A-" + strconv.Itoa(i) }

// fleetLoad is the clients' side: each asset drives, its instants never repeat.
type fleetLoad struct {
	lastAt []int64
	late   time.Duration // how long ago its points were made: a fleet that catches up after an outage
}

// body makes a batch of points of the assets of one client (those ≡ client modulo clients).
func (f *fleetLoad) body(b []byte, client, clients int, cursor *int) []byte {
	b = append(b, `{"items":[`...)
	now := time.Now().Add(-f.late).UnixMilli()
	for i := range batchPoints {
		thing := *cursor
		*cursor += clients
		if *cursor >= len(f.lastAt) {
			*cursor = client
		}
		at := max(now, f.lastAt[thing]+1)
		f.lastAt[thing] = at
		if i > 0 {
			b = append(b, ',')
		}
		drive := float64(at%600000) * 2e-7
		b = append(append(b, `{"type":"point","asset":"A-`...), strconv.Itoa(thing)...)
		b = time.UnixMilli(at).UTC().AppendFormat(append(b, `","at":"`...), "2006-01-02T15:04:05.000Z")
		b = strconv.AppendFloat(append(b, `","lat":`...), 39.1+float64(thing%500)*1e-3+drive, 'f', 7, 64)
		b = strconv.AppendFloat(append(b, `,"lng":`...), -75.7+float64(thing/500)*1e-3+drive, 'f', 7, 64)
		b = append(b, `,"course":38,"speed":15.2,"accuracy":4,"alerting":`...)
		b = append(strconv.AppendBool(b, thing%10 == 0), '}')
	}
	return append(b, `]}`...)
}

type figures struct {
	points   int64
	rate     float64
	p50, p99 time.Duration
}

// load sends batches by clients for a while and answers what was acknowledged.
// With a rate in points/s the batches leave by a timetable and are timed from
// the instant they were due, so that a late one is not excused; without, each
// client sends as soon as it was answered.
func load(b *testing.B, t *target, things, clients, rate int) figures {
	end := time.Now().Add(time.Duration(*seconds * float64(time.Second)))
	return loadWhile(b, t, things, clients, rate, func(now time.Time) bool { return now.Before(end) })
}

// loadWhile is load for as long as going tells.
func loadWhile(b *testing.B, t *target, things, clients, rate int, going func(now time.Time) bool) figures {
	if t.fleet == nil || len(t.fleet.lastAt) != things {
		t.fleet = &fleetLoad{lastAt: make([]int64, things), late: t.late} // the next load goes on where this one ends
	}
	f := t.fleet
	transport := &http.Transport{MaxIdleConnsPerHost: clients, MaxConnsPerHost: clients, WriteBufferSize: 16 << 10}
	client := &http.Client{Transport: transport, Timeout: time.Minute}
	defer transport.CloseIdleConnections()
	var points atomic.Int64
	took := make([][]time.Duration, clients)
	begin := time.Now()
	var group sync.WaitGroup
	for c := range clients {
		group.Go(func() {
			cursor := c % things
			var buffer []byte
			start := time.Now()
			for k := 0; going(start); k++ {
				buffer = f.body(buffer[:0], c, clients, &cursor)
				if start = time.Now(); rate > 0 {
					start = begin.Add(time.Duration(k*clients+c) * batchPoints * time.Second / time.Duration(rate))
					time.Sleep(time.Until(start))
				}
				req, _ := http.NewRequest(http.MethodPost, t.url+"/api/ingest", bytes.NewReader(buffer))
				req.Header.Set("Authorization", "Bearer "+t.key)
				req.Header.Set("Content-Type", "application/json")
				res, err := client.Do(req)
				if err != nil {
					b.Error(err)
					return
				}
				answer, _ := io.ReadAll(res.Body)
				_ = res.Body.Close()
				if res.StatusCode != http.StatusOK || !bytes.HasPrefix(answer, []byte(`{"data":{"accepted":50,`)) {
					b.Errorf("answered %d %s", res.StatusCode, answer)
					return
				}
				took[c] = append(took[c], time.Since(start))
				points.Add(batchPoints)
			}
		})
	}
	group.Wait()
	all := slices.Concat(took...)
	slices.Sort(all)
	if len(all) == 0 {
		b.Fatal("nothing was answered")
	}
	return figures{points: points.Load(), rate: float64(points.Load()) / time.Since(begin).Seconds(), p50: all[len(all)/2], p99: all[len(all)*99/100]}
}

const bareInsert = `INSERT INTO point (minute, thing_no, at, received_at, lat, lng, course, speed, accuracy, flags)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) ON CONFLICT DO NOTHING`

const bareInsertPG = `INSERT INTO point (minute, thing_no, at, received_at, lat, lng, course, speed, accuracy, flags)
SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[], $7::bigint[], $8::bigint[], $9::bigint[], $10::bigint[])
ON CONFLICT DO NOTHING`

// bare inserts the same rows into their table, 5000 a transaction, by a
// prepared statement (PostgreSQL: as columns): what a plain server would do,
// without HTTP, JSON, laws or events.
func bare(b *testing.B, s *store.Store, things int) float64 {
	const group = 5000
	ctx := context.Background()
	n := 0
	begin := time.Now()
	end := begin.Add(time.Duration(min(*seconds, 3) * float64(time.Second)))
	for time.Now().Before(end) {
		now := time.Now().UnixMilli()
		var columns [10][]int64
		for i := range group {
			at := now + int64((n+i)/things)
			for k, v := range [10]int64{at / 60000, int64(1_000_000 + (n+i)%things), at, now, 395000000, -755000000, 380, 1520, 40, 1} {
				columns[k] = append(columns[k], v)
			}
		}
		if err := s.Write(ctx, func(tx *store.Tx) error { return insertColumns(ctx, tx, s.Engine(), columns) }); err != nil {
			b.Fatal(err)
		}
		n += group
	}
	return float64(n) / time.Since(begin).Seconds()
}

func insertColumns(ctx context.Context, tx *store.Tx, on engine.Name, columns [10][]int64) error {
	args := make([]any, len(columns))
	if on == engine.Postgres {
		for k := range columns {
			args[k] = columns[k]
		}
		_, err := tx.ExecContext(ctx, bareInsertPG, args...)
		return err
	}
	insert, err := tx.PrepareContext(ctx, bareInsert)
	if err != nil {
		return err
	}
	defer func() { _ = insert.Close() }()
	for i := range columns[0] {
		for k := range columns {
			args[k] = columns[k][i]
		}
		if _, err := insert.ExecContext(ctx, args...); err != nil {
			return err
		}
	}
	return nil
}

func open(b *testing.B, engine string, delay time.Duration) *store.Store {
	b.Helper()
	o := store.Options{Path: filepath.Join(b.TempDir(), "bench.db"), Log: quiet()}
	if engine == "postgres" {
		o = store.Options{URL: storetest.PostgresURL(b), Log: quiet()}
	}
	if delay > 0 {
		o.BeforeCommit = func() { time.Sleep(delay) }
	}
	s, err := store.Open(context.Background(), o)
	if err != nil {
		b.Fatal(err)
	}
	return s
}

// heapMB is what is in use after a collection.
func heapMB() float64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return float64(m.HeapAlloc) / 1e6
}

// lateWords end the name of a row whose points are late.
func lateWords(late time.Duration) string {
	if late == 0 {
		return ""
	}
	return "/late=" + late.String()
}

func BenchmarkIngest(b *testing.B) {
	const slow, outage = 5 * time.Millisecond, 83 * time.Minute
	timely := map[string]float64{} // points/s of what was said in time, to compare with what was said late
	for _, row := range []struct {
		engine          string
		things, clients int
		delay           time.Duration // of a slow disk's sync
		streets, alone  bool
		rate            int           // points/s by timetable; 0 = as fast as they are answered
		late            time.Duration // of all points; see fleetLoad
	}{
		{"sqlite", 500, 64, 0, true, false, 0, 0}, {"sqlite", 100_000, 64, 0, true, false, 0, 0}, {"sqlite", 100_000, 64, 0, true, false, 0, outage},
		{"sqlite", 2_000, 64, 0, true, false, 0, 0}, {"sqlite", 100_000, 64, 0, true, false, 60_000, 0},
		{"sqlite", 500, 1, 0, true, false, 0, 0}, {"sqlite", 500, 64, 0, false, false, 0, 0}, {"sqlite", 100_000, 64, 0, false, false, 0, 0},
		{"sqlite", 500, 64, slow, false, false, 0, 0}, {"sqlite", 500, 64, slow, false, true, 0, 0},
		{"postgres", 500, 64, 0, true, false, 0, 0}, {"postgres", 2_000, 64, 0, true, false, 0, 0}, {"postgres", 100_000, 64, 0, true, false, 0, 0},
		{"postgres", 100_000, 64, 0, true, false, 0, outage}, {"postgres", 100_000, 64, 0, true, false, 60_000, 0},
		{"postgres", 500, 1, 0, true, false, 0, 0},
	} {
		what := fmt.Sprintf("%s/things=%d/clients=%d/sync=%s/streets=%t/alone=%t/rate=%d", row.engine, row.things, row.clients, row.delay, row.streets, row.alone, row.rate)
		b.Run(what+lateWords(row.late), func(b *testing.B) {
			var street func(lat, lng, heading float64) string
			if row.streets {
				street = streets(b)
			}
			s := open(b, row.engine, row.delay)
			defer func() {
				if err := s.Close(); err != nil {
					b.Error(err)
				}
			}()
			empty := heapMB()
			t := serve(b, s, row.things, street, row.alone)
			t.late = row.late
			fleetMB := heapMB() - empty
			var f figures
			for b.Loop() {
				f = load(b, t, row.things, row.clients, row.rate)
			}
			t.stop()
			if stored, err := s.CountPoints(context.Background()); err != nil || stored < f.points {
				b.Fatalf("answered %d points, stored %d (%v)", f.points, stored, err)
			}
			limit := bare(b, s, row.things)
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(f.rate, "points/s")
			b.ReportMetric(float64(f.p50.Microseconds())/1000, "p50-ms")
			b.ReportMetric(float64(f.p99.Microseconds())/1000, "p99-ms")
			b.ReportMetric(fleetMB, "heap-MB")
			b.ReportMetric(limit, "bare-points/s")
			b.ReportMetric(f.rate/limit, "of-bare")
			if row.late == 0 {
				timely[what] = f.rate
			} else if timely[what] > 0 {
				b.ReportMetric(f.rate/timely[what], "of-timely")
			}
		})
	}
}
