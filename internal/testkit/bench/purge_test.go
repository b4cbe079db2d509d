package bench_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"lightbar/internal/fleet"
	"lightbar/internal/store"
)

// oldBlocks puts n blocks of an hour at 1 Hz of long ago into the database, as a year of a fleet leaves them.
func oldBlocks(b *testing.B, s *store.Store, n int) {
	b.Helper()
	ctx := context.Background()
	first := fleet.InstantOf(time.Now().Add(-500 * 24 * time.Hour))
	body := make([]byte, 21_000) // 6 bytes a point, which no database packs any further
	random := rand.NewChaCha8([32]byte{})
	for from := 0; from < n; from += 500 {
		if err := s.Write(ctx, func(tx *store.Tx) error {
			for i := from; i < min(n, from+500); i++ {
				_, _ = random.Read(body)
				at := first.Add(time.Duration(i/500) * time.Hour)
				if _, err := tx.ExecContext(ctx, `INSERT INTO point_block (thing_no, slot, first_at, last_at, n, said, body) VALUES ($1, $2, $3, $4, $5, $6, $7)`,
					1_000_000+i%500, int64(at)/3_600_000, int64(at), int64(at)+3_599_000, 3600, false, body); err != nil {
					return err
				}
			}
			return nil
		}); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkPurge deletes six hours of a fleet of 500 at 1 Hz, with nobody beside it; nearly all of its time is rest.
func BenchmarkPurge(b *testing.B) {
	for _, engine := range []string{"sqlite", "postgres"} {
		b.Run(engine, func(b *testing.B) {
			const blocks = 500 * 6
			s := open(b, engine, 0)
			defer func() { _ = s.Close() }()
			for b.Loop() {
				b.StopTimer()
				oldBlocks(b, s, blocks)
				b.StartTimer()
				now := fleet.InstantOf(time.Now())
				out, err := s.Purge(context.Background(), now.Add(-395*24*time.Hour), now)
				if err != nil || out.Gone != blocks {
					b.Fatalf("%+v %v", out, err)
				}
			}
			b.ReportMetric(float64(blocks*b.N)/b.Elapsed().Seconds(), "blocks/s")
		})
	}
}

// BenchmarkIngestBesidePurge measures ingest alone and beside a purge that has more to do than there is time, in turns in
// one run: the ratio of the medians of several turns, since one p99 says more of the machine than of us. noise-ratio is the
// same of ingest alone and ingest alone: a ratio within it says nothing.
func BenchmarkIngestBesidePurge(b *testing.B) {
	const things, clients, rate, turns = 500, 16, 5000, 5
	for _, engine := range []string{"sqlite", "postgres"} {
		b.Run(fmt.Sprintf("%s/rate=%d", engine, rate), func(b *testing.B) {
			s := open(b, engine, 0)
			defer func() { _ = s.Close() }()
			oldBlocks(b, s, 60_000)
			t := serve(b, s, things, nil, false)
			load(b, t, things, clients, rate) // warm
			var alone, beside, again []figures
			var gone int64
			for b.Loop() {
				for range turns {
					alone = append(alone, load(b, t, things, clients, rate))
					ctx, stop := context.WithCancel(context.Background())
					done := make(chan struct{})
					go func() {
						defer close(done)
						now := fleet.InstantOf(time.Now())
						out, _ := s.Purge(ctx, now.Add(-395*24*time.Hour), now)
						gone += out.Gone
					}()
					beside = append(beside, load(b, t, things, clients, rate))
					stop()
					<-done
					again = append(again, load(b, t, things, clients, rate))
				}
			}
			t.stop()
			median := func(list []figures, of func(figures) time.Duration) float64 {
				var all []time.Duration
				for _, f := range list {
					all = append(all, of(f))
				}
				slices.Sort(all)
				return float64(all[len(all)/2].Microseconds()) / 1000
			}
			p50 := func(f figures) time.Duration { return f.p50 }
			p99 := func(f figures) time.Duration { return f.p99 }
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(median(alone, p99), "alone-p99-ms")
			b.ReportMetric(median(beside, p99), "beside-p99-ms")
			b.ReportMetric(median(beside, p99)/median(alone, p99), "p99-ratio")
			b.ReportMetric(median(again, p99)/median(alone, p99), "noise-ratio")
			b.ReportMetric(median(beside, p50)/median(alone, p50), "p50-ratio")
			b.ReportMetric(float64(gone), "blocks-gone")
		})
	}
}
