// Package app holds the verbs: one method for each use case. Every mutation
// and every permission check is here. The order in a verb is fixed:
// permission, load, law, store, commit, event.
package app

import "lightbar/internal/fleet"

// App holds the verbs; make one with New. Those about people are part of it, so
// that who serves a request has one value to ask.
type App struct {
	*Accounts

	ingest ingest // the group commit of reports; the zero value works
	turns  turns  // of long work on the picture; the zero value works
}

// New makes the verbs over what they need.
func New(o Options) *App { return &App{Accounts: NewAccounts(o)} }

// now is the current instant.
func (a *App) now() fleet.Instant { return fleet.InstantOf(a.Now()) }
