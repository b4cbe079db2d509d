package tiles

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/klauspost/compress/gzip"
)

// Oven takes shapes from several workers and bakes them into one PMTiles file.
type Oven struct {
	dir     string // for runs that do not fit in memory
	layers  []string
	grid    grid
	Workers []*OvenWorker

	mu    sync.Mutex
	spill []string // files
	err   error
}

// OvenWorker is one goroutine's part of an oven.
type OvenWorker struct {
	cutter
	run pieceRun
}

func NewOven(dir string, layers []string, g grid, maxZoom uint8, workers int) *Oven {
	o := &Oven{dir: dir, layers: layers, grid: g}
	for range workers {
		w := &OvenWorker{}
		w.maxZoom, w.grid = maxZoom, g
		w.emit = func(p *piece) {
			if w.run.add(p) {
				o.flush(&w.run)
			}
		}
		o.Workers = append(o.Workers, w)
	}
	return o
}

// Spread runs work over n items on all workers, in portions; each worker calls once for the function that handles an item.
func (o *Oven) Spread(ctx context.Context, n, portion int, progress func(done int64),
	work func(worker *OvenWorker) func(i int)) error {
	var next, done atomic.Int64
	var wg sync.WaitGroup
	for _, w := range o.Workers {
		wg.Go(func() {
			do := work(w)
			for ctx.Err() == nil {
				from := int(next.Add(int64(portion))) - portion
				if from >= n {
					return
				}
				to := min(from+portion, n)
				for i := from; i < to; i++ {
					do(i)
				}
				progress(done.Add(int64(to - from)))
			}
		})
	}
	wg.Wait()
	return ctx.Err()
}

func (o *Oven) flush(run *pieceRun) {
	o.mu.Lock()
	path := filepath.Join(o.dir, fmt.Sprintf("run-%04d", len(o.spill)))
	o.spill = append(o.spill, path)
	o.mu.Unlock()
	if err := run.spill(path); err != nil {
		o.mu.Lock()
		o.err = err
		o.mu.Unlock()
	}
}

// Bake merges all runs, encodes and packs the tiles on all processors, and
// writes the file. It gives the number of tiles.
func (o *Oven) Bake(ctx context.Context, path string, meta TileMeta, progress func(done, total int64)) (int, error) {
	if o.err != nil {
		return 0, o.err
	}
	var total int64
	var sources []*pieceSource
	for _, w := range o.Workers {
		w.run.sort()
		total += int64(len(w.run.data))
		sources = append(sources, w.run.source())
	}
	for _, path := range o.spill {
		f, err := os.Open(path)
		if err != nil {
			return 0, err
		}
		defer f.Close()
		if info, err := f.Stat(); err == nil {
			total += info.Size()
		}
		sources = append(sources, fileSource(f))
	}
	merge, err := mergePieces(sources)
	if err != nil {
		return 0, err
	}
	w, err := newTileWriter(path)
	if err != nil {
		return 0, err
	}
	if err := o.bakeTiles(ctx, merge, w, func(done int64) { progress(done, total) }); err != nil {
		w.f.Close()
		return 0, err
	}
	return int(w.addressed), w.finish(meta)
}

// bakeTiles runs a pipeline that preserves the order: tiles are passed to the encoders and, in the same order, to the writer, which
// waits for each.
func (o *Oven) bakeTiles(ctx context.Context, merge pieceMerge, w *tileWriter, progress func(done int64)) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	procs := runtime.GOMAXPROCS(0)
	jobs := make(chan *tileJob, procs*2)
	ordered := make(chan *tileJob, procs*4)
	var wg sync.WaitGroup
	defer wg.Wait()
	defer cancel() // before waiting
	for range procs {
		wg.Go(func() { o.encodeTiles(jobs) })
	}
	var readErr error
	wg.Go(func() {
		defer close(ordered)
		defer close(jobs)
		for {
			job, err := merge.nextTile()
			if err != nil || job == nil {
				readErr = err
				return
			}
			select {
			case jobs <- job:
			case <-ctx.Done():
				return
			}
			select {
			case ordered <- job:
			case <-ctx.Done():
				return
			}
		}
	})
	var done int64
	for job := range ordered {
		if err := w.add(job.tile, <-job.out); err != nil {
			return err
		}
		done += int64(len(job.data))
		progress(done)
	}
	if readErr != nil {
		return readErr
	}
	return ctx.Err()
}

func (o *Oven) encodeTiles(jobs <-chan *tileJob) {
	encoder := newTileEncoder(o.layers, o.grid.extent)
	var out bytes.Buffer
	z, _ := gzip.NewWriterLevel(&out, 7) // the level is valid
	for job := range jobs {
		out.Reset()
		z.Reset(&out)
		z.Write(encoder.encode(job.pieces)) // a buffer does not fail
		z.Close()
		job.out <- bytes.Clone(out.Bytes())
	}
}
