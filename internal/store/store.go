// Package store is the database as the product sees it: the nouns' tables, a file
// each, over engine (the database itself) and points (the reports).
package store

import (
	"context"
	"time"

	"lightbar/internal/store/backup"
	"lightbar/internal/store/engine"
	"lightbar/internal/store/points"
)

// What those who read and write nouns need of the engine.
type (
	// Reader reads rows: a snapshot or a transaction.
	Reader = engine.Reader
	// Options have the place of the database and how to treat it.
	Options = engine.Options
)

// WaitedTooLong is an error when a call has waited for its turn to write for longer than it may.
func WaitedTooLong(ctx context.Context, since time.Time) error {
	return engine.WaitedTooLong(ctx, since)
}

// ErrNotFound means that no row matched.
var ErrNotFound = engine.ErrNotFound

// Store is the open database.
type Store struct {
	*points.Store
	audit openAudit
}

// Tx is a writing transaction; it is also a Reader.
type Tx struct {
	*points.Tx
	audit map[string]OpenAudit // rows added
}

// Open opens the database and brings its schema up to date (after a checked
// copy). A database that must not be used gives an *engine.Unusable and stays untouched.
func Open(ctx context.Context, o Options) (*Store, error) {
	o.Copy = backup.BeforeUpgrade
	s, err := points.Open(ctx, o)
	if err != nil {
		backup.NameNewest(o, err)
		return nil, err
	}
	return &Store{Store: s}, nil
}

// Write runs fn in one transaction and commits it when fn returns nil; see engine.Store.
func (s *Store) Write(ctx context.Context, fn func(tx *Tx) error) error {
	t := &Tx{}
	err := s.Store.Write(ctx, func(tx *points.Tx) error {
		t.Tx = tx
		return fn(t)
	})
	if err == nil {
		s.audit.keep(t.audit)
	}
	return err
}

// Damage returns what to do when err means that the open database is damaged; else nil.
func (s *Store) Damage(err error) *engine.Unusable {
	u := s.Store.Damage(err)
	if u != nil {
		backup.NameNewest(s.Options(), u)
	}
	return u
}
