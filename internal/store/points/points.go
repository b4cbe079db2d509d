// Package points holds all stored reports: the points of assets, with an intake
// that a commit appends to and that is merged into their table later, blocks in
// which they rest in the end, and the signals beside them. One writer, which takes each report once (write.go), and
// one reader, for which intake, table and blocks are one (read.go; replay.go for all that do not rest).
package points

import (
	"context"
	"time"

	"lightbar/internal/store/engine"
)

// Store is a database with the memory of its points that are not merged yet.
type Store struct {
	*engine.Store
	intake intake
	// sealPace is how many times as long as a slice took sealing waits before the next.
	sealPace time.Duration
}

// Tx is a writing transaction that can store points.
type Tx struct {
	*engine.Tx
	intake *intake
	turn   bool // it has the intake's turn
}

// Open opens the database and begins to merge.
func Open(ctx context.Context, o engine.Options) (*Store, error) {
	o.Check = Check
	db, err := engine.Open(ctx, o)
	if err != nil {
		return nil, err
	}
	s := &Store{Store: db, sealPace: sealPace}
	s.intake.full, s.intake.mergeAt, s.intake.now = make(chan struct{}, 1), mergeAt, db.Options().Now
	if !o.ReadOnly {
		s.startMerging()
	}
	return s, nil
}

// Close ends merging and closes the database. It may be called again.
func (s *Store) Close() error {
	s.stopMerging()
	return s.Store.Close()
}

// Write runs fn in one transaction, as engine.Store does.
func (s *Store) Write(ctx context.Context, fn func(tx *Tx) error) error {
	t, kept := &Tx{intake: &s.intake}, false
	defer func() { t.leave(kept) }()
	err := s.Store.Write(ctx, func(tx *engine.Tx) error {
		t.Tx = tx
		return fn(t)
	})
	kept = err == nil
	return err
}

// Reader returns the reading pool, as engine.Store does.
func (s *Store) Reader() engine.Reader { return reader{s.Store.Reader(), &s.intake} }

type reader struct {
	engine.Reader
	intake *intake
}

// NoteUnread notes a row that cannot be read, as the reader below does.
func (r reader) NoteUnread(row engine.UnreadRow) { engine.NoteUnread(r.Reader, row) }

// remembers is a reader that may use what is in memory; ended: the points of committed transactions only.
type remembers interface {
	seen() (in *intake, ended bool)
}

func (r reader) seen() (*intake, bool) { return r.intake, true }

// Without the turn another transaction's points might be there.
func (tx *Tx) seen() (*intake, bool) { return tx.intake, !tx.turn }

// enter takes the turn for this transaction, and reads the intake if memory does not know it.
func (tx *Tx) enter(ctx context.Context) error {
	if tx.turn {
		return nil
	}
	tx.intake.turn.Lock()
	tx.turn, tx.intake.moved = true, map[int64]map[pointRow]struct{}{}
	if tx.intake.known {
		return nil
	}
	return tx.intake.load(ctx, tx, tx.intake.now())
}

// ReadIntake reads the intake into memory, so that later readers of reports
// need not read the rows each time.
func (s *Store) ReadIntake(ctx context.Context) error {
	return s.Write(ctx, func(tx *Tx) error { return tx.enter(ctx) })
}

// leave ends the turn. If the transaction was rolled back, or its outcome is
// unknown, the next one reads the database again.
func (tx *Tx) leave(kept bool) {
	if !tx.turn {
		return
	}
	in := tx.intake
	in.mu.Lock()
	if in.known = in.known && kept; in.known {
		in.settle()
		if g := in.merging; g != nil && g.from == g.upTo {
			in.merging, in.idle = nil, g
		}
	}
	full := in.known && in.merging == nil && len(in.filling.rows) >= in.mergeAt
	in.mu.Unlock()
	in.turn.Unlock()
	if full {
		select {
		case in.full <- struct{}{}:
		default:
		}
	}
}
