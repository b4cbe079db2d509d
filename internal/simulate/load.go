package simulate

import (
	"context"
	"fmt"
	"math"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// LoadOptions describe a generated load.
type LoadOptions struct {
	Assets   int
	RateHz   float64 // points a second of each asset
	Duration time.Duration
	Clients  int // connections, 0 = 16
	Batch    int // points a request, 0 = 50
	Progress func(LoadResult)
}

// LoadResult is what a load came to.
type LoadResult struct {
	Points, Accepted, Duplicates, Refused int64
	Elapsed                               time.Duration
	P50, P99                              time.Duration // of a request
	Late                                  time.Duration // how far behind its schedule the load ended
}

// PointsPerSecond that the server acknowledged.
func (r LoadResult) PointsPerSecond() float64 {
	return float64(r.Accepted) / max(r.Elapsed.Seconds(), 1e-9)
}

// LoadAsset names the i-th asset of a generated load.
func LoadAsset(i int) string { return fmt.Sprintf("SIM-%06d", i) }

// Load registers assets and sends points on circles around Wilmington at a rate.
func Load(ctx context.Context, client *Client, o LoadOptions) (LoadResult, error) {
	if o.Assets < 1 || o.RateHz <= 0 {
		return LoadResult{}, fmt.Errorf("a load needs at least one asset and a rate above 0")
	}
	o.Clients, o.Batch = max(o.Clients, 1), max(o.Batch, 1)
	for i := 0; i < o.Assets; i += 1000 {
		var assets []Asset
		for j := i; j < min(i+1000, o.Assets); j++ {
			assets = append(assets, Asset{HaasID: LoadAsset(j), DeviceType: "api"})
		}
		if err := client.Register(ctx, assets); err != nil {
			return LoadResult{}, fmt.Errorf("register assets: %w", err)
		}
	}
	ctx, stop := context.WithTimeout(ctx, o.Duration)
	defer stop()
	l := &load{client: client, o: o, begin: time.Now(), stop: stop}
	var workers sync.WaitGroup
	for w := range o.Clients {
		workers.Go(func() { l.work(ctx, w) })
	}
	done := make(chan struct{})
	go func() { workers.Wait(); close(done) }()
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for {
		select {
		case <-done:
			return l.result(), l.err()
		case <-tick.C:
			if o.Progress != nil {
				o.Progress(l.result())
			}
		}
	}
}

type load struct {
	client *Client
	o      LoadOptions
	begin  time.Time
	stop   context.CancelFunc // ends all workers

	points, accepted, duplicates, refused, late atomic.Int64

	mu        sync.Mutex
	latencies []time.Duration
	failure   error
}

// work sends the assets w, w+Clients, w+2·Clients, … round after round on schedule.
func (l *load) work(ctx context.Context, w int) {
	period := time.Duration(float64(time.Second) / l.o.RateHz)
	for round := 0; ; round++ {
		due := l.begin.Add(time.Duration(round) * period)
		wait := time.NewTimer(time.Until(due))
		select {
		case <-ctx.Done():
			wait.Stop()
			return
		case <-wait.C:
		}
		at := time.Now()
		l.late.Store(int64(at.Sub(due)))
		var batch []Item
		for i := w; i < l.o.Assets; i += l.o.Clients {
			batch = append(batch, circlePoint(i, round, at))
			if len(batch) == l.o.Batch {
				if !l.send(ctx, batch) {
					return
				}
				batch = batch[:0]
			}
		}
		if len(batch) > 0 && !l.send(ctx, batch) {
			return
		}
	}
}

func (l *load) send(ctx context.Context, batch []Item) bool {
	begin := time.Now()
	answer, err := l.client.SendAgain(ctx, batch)
	if err != nil {
		if ctx.Err() == nil {
			l.mu.Lock()
			l.failure = err
			l.mu.Unlock()
			l.stop() // workers without an asset would never learn of it
		}
		return false
	}
	l.points.Add(int64(len(batch)))
	l.accepted.Add(int64(answer.Accepted))
	l.duplicates.Add(int64(answer.Duplicates))
	l.refused.Add(int64(len(answer.Refused)))
	l.mu.Lock()
	l.latencies = append(l.latencies, time.Since(begin))
	l.mu.Unlock()
	return true
}

func (l *load) err() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.failure
}

func (l *load) result() LoadResult {
	l.mu.Lock()
	defer l.mu.Unlock()
	r := LoadResult{Points: l.points.Load(), Accepted: l.accepted.Load(), Duplicates: l.duplicates.Load(), Refused: l.refused.Load(),
		Elapsed: time.Since(l.begin), Late: time.Duration(l.late.Load())}
	if n := len(l.latencies); n > 0 {
		sorted := slices.Sorted(slices.Values(l.latencies))
		r.P50, r.P99 = sorted[n/2], sorted[n*99/100]
	}
	return r
}

// circlePoint is asset i on a circle of its own, once around in two minutes.
func circlePoint(i, round int, at time.Time) Item {
	angle := 2 * math.Pi * (float64(round%120)/120 + float64(i%97)/97)
	radius := 200 + float64(i%50)*100
	center := offset(Wilmington, float64(i%211-105)*150, float64(i%307-153)*150)
	p := offset(center, radius*math.Sin(angle), radius*math.Cos(angle))
	lat, lng, accuracy := round7(p.Lat), round7(p.Lng), 5.0
	course := math.Mod(360-angle*180/math.Pi+360, 360)
	speed, alerting := 2*math.Pi*radius/120, i%20 == 0
	return Item{Type: "point", Asset: LoadAsset(i), At: stamp(at), Lat: &lat, Lng: &lng, Course: &course, Speed: &speed,
		Accuracy: &accuracy, Alerting: &alerting}
}

func round7(v float64) float64 { return math.Round(v*1e7) / 1e7 }
