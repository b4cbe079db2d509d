// Package record is how a record changes, whatever its noun: one order of steps for edits (edit.go), new records and removals
// (doors.go), conflicts and undo, the kit of nouns that organizations own (resource.go), and the same answer to a repeated request
// (once.go).
package record

import (
	"context"
	"log/slog"
	"time"

	"lightbar/internal/access"
	"lightbar/internal/audit"
	"lightbar/internal/bus"
	"lightbar/internal/fleet"
	"lightbar/internal/live"
	"lightbar/internal/secret"
	"lightbar/internal/store"
)

// Base is what every change needs. It is set once, before the first call.
type Base struct {
	Store *store.Store
	Live  *live.Picture // nil on the command line
	Bus   *bus.Bus
	Log   *slog.Logger
	// Now and NewID give time and ids; tests replace them.
	Now   func() time.Time
	NewID func() string
	// ServerKey derives token pairs and other secrets of this installation (32 bytes).
	ServerKey secret.Key
	// Audit is the trail of who did what.
	Audit *audit.Trail
	// Fresh refuses an actor who has not recently proved their identity.
	Fresh func(ctx context.Context, r store.Reader, actor *access.Actor) error
	// Renamed is called after a commit for each organization whose events are now called differently.
	Renamed func(organizationID string)

	// Writes are locked by name while a write with an Idempotency-Key runs; AnswerQuota limits how much of their answers is stored.
	Writes      *Locks
	AnswerQuota *AnswerQuota
}

// Verbs is the receiver of a change: verbs that embed a Base.
type Verbs interface{ base() *Base }

func (b *Base) base() *Base { return b }

// now is the current instant.
func (b *Base) now() fleet.Instant { return fleet.InstantOf(b.Now()) }
