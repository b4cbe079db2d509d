// Package audit is the record of who did what. It writes a row with each change,
// seals the rows in a chain that reveals alterations, and lists and verifies
// them. It also counts refusals.
package audit

import (
	"context"
	"encoding/json"
	"log/slog"
	"time"

	"lightbar/internal/access"
	"lightbar/internal/fleet"
	"lightbar/internal/secret"
	"lightbar/internal/store"
)

// Trail is the audit of an installation. Fields are set once, before the first call.
type Trail struct {
	Store *store.Store
	Log   *slog.Logger
	Now   func() time.Time
	NewID func() string
	// ServerKey makes the key of the seals.
	ServerKey secret.Key
	// HeadPath is the file that keeps the head of the chain beside the database; "" keeps it in memory alone.
	HeadPath string
	// Alarm tells people of a fault, in the transaction that writes its row; nil tells nobody.
	Alarm func(ctx context.Context, tx *store.Tx, found *Fault) error

	chain    chain    // what was sealed, as known beside the database; the zero value works
	refusals refusals // held in memory until they are flushed; the zero value works
}

// now is the current instant.
func (a *Trail) now() fleet.Instant { return fleet.InstantOf(a.Now()) }

// Row is the part of an audit row that a verb says; the rest comes from the actor.
type Row struct {
	ID                 string // empty = a new one
	Verb, Noun, NounID string
	OrganizationID     string // empty = the actor's own
	Before, After      any    // encoded as JSON; nil = nothing
}

// Write leaves an audit row in the transaction of the change.
func (a *Trail) Write(ctx context.Context, tx *store.Tx, actor *access.Actor, r Row) error {
	if r.ID == "" {
		r.ID = a.NewID()
	}
	row := fleet.AuditRow{ID: r.ID, At: a.now(), ActorUserID: actor.UserID, ActorKeyID: actor.KeyID, OrganizationID: r.OrganizationID,
		Network: actor.Network, Verb: r.Verb, Noun: r.Noun, NounID: r.NounID, RequestID: actor.RequestID}
	if row.OrganizationID == "" {
		row.OrganizationID = actor.OrganizationID
	}
	var err error
	if r.Before != nil {
		if row.Before, err = json.Marshal(r.Before); err != nil {
			return err
		}
	}
	if r.After != nil {
		if row.After, err = json.Marshal(r.After); err != nil {
			return err
		}
	}
	return tx.InsertAudit(ctx, row)
}
