package bench_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// Assets drive with their lights on, arrive somewhere, say so, and leave again
// with their next report: an incident opens and closes for every fifty reports,
// and the runs of its asset are computed anew. The same reports without the
// arrivals are measured before, in one run: what incidents cost.
func BenchmarkIncidents(b *testing.B) {
	const clients = 64
	for _, row := range []struct {
		engine string
		things int
	}{{"sqlite", 2_000}, {"sqlite", 100_000}, {"postgres", 2_000}, {"postgres", 100_000}} {
		b.Run(fmt.Sprintf("%s/things=%d", row.engine, row.things), func(b *testing.B) {
			s := open(b, row.engine, 0)
			defer func() {
				if err := s.Close(); err != nil {
					b.Error(err)
				}
			}()
			t := serve(b, s, row.things, nil, false)
			defer t.stop()
			f := &arrivals{lastAt: make([]int64, row.things), isAway: make([]bool, row.things)}
			var without, with figures
			for b.Loop() {
				without = f.load(b, t, clients, false)
				before := t.incidents(b)
				with = f.load(b, t, clients, true)
				b.ReportMetric(float64(t.incidents(b)-before), "incidents")
			}
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(with.rate, "points/s")
			b.ReportMetric(without.rate, "without-points/s")
			b.ReportMetric(with.rate/without.rate, "of-without")
			b.ReportMetric(float64(with.p99.Microseconds())/1000, "p99-ms")
			b.ReportMetric(float64(without.p99.Microseconds())/1000, "without-p99-ms")
		})
	}
}

// incidents counts those that the organization has had.
func (t *target) incidents(b *testing.B) (n int) {
	b.Helper()
	const count = "SELECT COUNT(*) FROM location"
	if err := t.app.Store.Reader().QueryRowContext(context.Background(), count).Scan(&n); err != nil {
		b.Fatal(err)
	}
	return n
}

// arrivals is the clients' side: every asset has its lights on.
type arrivals struct {
	lastAt []int64
	isAway []bool // it stands at its second place, far from the first
}

// body makes a batch of the assets of one client; with an arrival its first asset drives elsewhere and says that it is there.
func (f *arrivals) body(w []byte, client, clients int, cursor *int, arrives bool) []byte {
	w = append(w, `{"items":[`...)
	now := time.Now().UnixMilli()
	for i := range batchPoints {
		thing := *cursor
		if i > 0 || !arrives { // the arrival is the first asset's second report
			if *cursor += clients; *cursor >= len(f.lastAt) {
				*cursor = client
			}
		}
		at := max(now, f.lastAt[thing]+1)
		f.lastAt[thing] = at
		if i > 0 {
			w = append(w, ',')
		}
		stamp := time.UnixMilli(at).UTC().Format(time.RFC3339Nano)
		if arrives && i == 1 {
			w = append(w, `{"type":"on_scene","asset":"A-`+strconv.Itoa(thing)+`","at":"`+stamp+`"}`...)
			continue
		}
		if arrives && i == 0 {
			f.isAway[thing] = !f.isAway[thing]
		}
		lat := 39.1 + float64(thing%500)*1e-3
		if f.isAway[thing] {
			lat += 0.7
		}
		w = append(w, `{"type":"point","asset":"A-`+strconv.Itoa(thing)+`","at":"`+stamp+`","lat":`...)
		w = strconv.AppendFloat(w, lat, 'f', 7, 64)
		w = strconv.AppendFloat(append(w, `,"lng":`...), -75.7+float64(thing/500)*4e-3, 'f', 7, 64)
		w = append(w, `,"accuracy":4,"alerting":true}`...)
	}
	return append(w, `]}`...)
}

func (f *arrivals) load(b *testing.B, t *target, clients int, arrive bool) figures {
	transport := &http.Transport{MaxIdleConnsPerHost: clients, MaxConnsPerHost: clients}
	client := &http.Client{Transport: transport, Timeout: time.Minute}
	defer transport.CloseIdleConnections()
	var points atomic.Int64
	took := make([][]time.Duration, clients)
	began := time.Now()
	end := began.Add(time.Duration(*seconds * float64(time.Second)))
	var group sync.WaitGroup
	for c := range clients {
		group.Go(func() {
			cursor := c
			var buffer []byte
			for time.Now().Before(end) {
				buffer = f.body(buffer[:0], c, clients, &cursor, arrive)
				start := time.Now()
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
					b.Errorf("answered %d %.300s", res.StatusCode, answer)
					return
				}
				took[c] = append(took[c], time.Since(start))
				points.Add(batchPoints)
			}
		})
	}
	group.Wait()
	all := slices.Concat(took...)
	if len(all) == 0 {
		b.Fatal("nothing was answered")
	}
	slices.Sort(all)
	return figures{points: points.Load(), rate: float64(points.Load()) / time.Since(began).Seconds(), p50: all[len(all)/2], p99: all[len(all)*99/100]}
}
