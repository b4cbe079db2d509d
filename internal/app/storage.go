package app

import (
	"context"
	"errors"

	"lightbar/catalog"
	"lightbar/internal/fleet"
	"lightbar/internal/store"
	"lightbar/internal/store/engine"
)

// storageAnswers are the answers for a database that did not accept a write or did not respond; the first match counts: a code of
// catalog/errors.json, and when to retry.
var storageAnswers = []struct {
	err    error
	code   string
	retryS int
}{
	{engine.ErrOutcomeUnknown, "outcome_unknown", 5},
	{engine.ErrFull, "storage_full", 30},
	{engine.ErrReadOnly, "storage_read_only", 30},
	{engine.ErrLockLost, "busy", 5}, // another server takes over
	{engine.ErrStorage, "storage_failed", 5},
	{engine.ErrBusy, "busy", 1},
	{errIngestFull, "busy", 1},
	{errIngestStopped, "busy", 1},
	{context.Canceled, "busy", 5},
	{context.DeadlineExceeded, "busy", 5},
}

// StorageRefusal returns the answer when the database caused an error; nil when it did not. Drivers' errors are classified here
// too: a connection can be lost at any row that is read. It takes precedence over a refusal in the same error: what could not be
// written down was not refused either.
func StorageRefusal(err error) *fleet.Refusal {
	err = engine.Classify(err)
	for _, a := range storageAnswers {
		if errors.Is(err, a.err) {
			row, _ := catalog.ErrorByCode(a.code)
			return &fleet.Refusal{Code: a.code, Message: row.Message, RetryAfterS: a.retryS}
		}
	}
	return nil
}

// WithReserve marks a call whose writes may use the space reserved for a full disk: people can sign in and out even then.
func WithReserve(ctx context.Context) context.Context { return engine.WithReserve(ctx) }

// Probe writes one row and waits until it is on the disk.
func (a *App) Probe(ctx context.Context) error {
	return a.Store.Write(ctx, func(tx *store.Tx) error { return tx.PutSetting(ctx, "probe.readyz", a.now().String()) })
}

// WithinCall marks the work of a call that somebody waits for: the database has a time limit for it.
func WithinCall(ctx context.Context) context.Context { return engine.WithinCall(ctx) }
