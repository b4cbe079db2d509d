package engine

import (
	"context"
	"database/sql"
	"os"
	"time"
)

// checkpointEvery is the pause between looks at the WAL. At 150 000 points a second
// it grows by some 1500 pages in that time.
const checkpointEvery = 100 * time.Millisecond

const (
	// checkpointEach is how many pages the WAL gains between two checkpoints.
	checkpointEach = 1000
	// checkpointRestart is how large the WAL may grow before it is restarted from its beginning.
	checkpointRestart = 4000
	// checkpointRest is how many pages may be left for that.
	checkpointRest = 250
)

// checkpointer moves pages from the WAL into the database on its own connection
// while the writer goes on (a PASSIVE checkpoint takes no writer lock;
// sqlite.org/c3ref/wal_checkpoint_v2.html). SQLite restarts the WAL only when
// nothing is left to move, so the last few pages are moved with the writer
// held. Without this, the commit that reaches wal_autocheckpoint would move all
// pages, up to 40 MB, while everybody waits. That limit stays as a fallback.
type checkpointer struct {
	db   *sql.DB
	stop chan struct{}
	done chan struct{}
}

func (s *Store) startCheckpoints(ctx context.Context) error {
	db, err := sql.Open("sqlite", writerDSN(s.opts.Path, 0))
	if err != nil {
		return err
	}
	db.SetMaxOpenConns(1)
	if err := db.PingContext(ctx); err != nil { // now, while the file is the one that was checked
		_ = db.Close()
		return Unusablef(err, "The database %s cannot be opened: %s.", s.opts.Path, Reason(err))
	}
	s.checkpointer = &checkpointer{db: db, stop: make(chan struct{}), done: make(chan struct{})}
	go s.checkpointer.run(s)
	return nil
}

func (c *checkpointer) run(s *Store) {
	defer close(c.done)
	tick := time.NewTicker(checkpointEvery)
	defer tick.Stop()
	seen := int64(0) // pages of the WAL at the last checkpoint
	for {
		select {
		case <-c.stop:
			return
		case <-tick.C:
		}
		pages := int64(0)
		if st, err := os.Stat(s.opts.Path + "-wal"); err == nil {
			pages = st.Size() / 4096
		}
		// A restarted WAL keeps its file size, so a file of full size is examined
		// each time.
		if pages < checkpointEach || pages < seen+checkpointEach && pages > seen {
			continue
		}
		// A failure here does no harm: commits also checkpoint, and report what is
		// wrong.
		frames, moved, err := checkpointOnce(c.db)
		if err != nil {
			continue
		}
		if seen = pages; frames >= checkpointRestart {
			c.finish(s.write, moved)
		}
	}
}

// finish checkpoints the pages added meanwhile, fewer each time, and then the
// rest with the writer held.
func (c *checkpointer) finish(writer *sql.DB, moved int64) {
	for range 5 {
		before, err := moved, error(nil)
		if _, moved, err = checkpointOnce(c.db); err != nil {
			return
		}
		if moved-before <= checkpointRest { // or the WAL was restarted meanwhile
			break
		}
	}
	_, _, _ = checkpointOnce(writer)
}

// checkpointOnce returns how many pages the WAL held when it began and how many of them are in the database now.
func checkpointOnce(db *sql.DB) (frames, moved int64, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	var busy int64
	err = db.QueryRowContext(ctx, "PRAGMA wal_checkpoint(PASSIVE)").Scan(&busy, &frames, &moved)
	return frames, moved, err
}

func (c *checkpointer) end() error {
	close(c.stop)
	<-c.done
	return c.db.Close()
}
