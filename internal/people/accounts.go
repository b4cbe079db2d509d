// Package people holds the verbs about people: sign-in, sessions and second
// factors, users, organizations and roles, API keys, and mail to people.
package people

import (
	"context"

	"github.com/google/uuid"

	"lightbar/internal/audit"
	"lightbar/internal/fleet"
	"lightbar/internal/mail"
	"lightbar/internal/record"
	"lightbar/internal/sso"
)

// Options are what the verbs need. They are set once, before the first call.
type Options struct {
	record.Base
	// ExportFolder is the folder for files of exports; "" makes none.
	ExportFolder string
	// AuditHeadPath is the file that stores the head of the audit beside the database; "" holds it only in memory.
	AuditHeadPath string
	// PublicURL is the address users know, without a trailing slash.
	PublicURL string
	// Configured are settings from the configuration ("brand.name", "map.providers"); they take precedence over the settings table.
	Configured map[string]string
	// Providers are the identity providers for single sign-on.
	Providers []*sso.Client
	// Post sends mails; nil leaves them in the outbox.
	Post mail.Sender
	// Passwords is the profile of the password rules; the zero value is that of the requirements.
	Passwords PasswordProfile
	// HideUnknownEmail gives forgotten passwords and unlocks the same answer whether or not the account exists.
	HideUnknownEmail bool
	// LinkConfirmation makes a sign-in link ask "Continue as …" before it signs in.
	LinkConfirmation bool
}

// Accounts holds the verbs about people; create one with New.
type Accounts struct {
	Options
	// StillAsked reports whether the question of a mail is still open for its recipient; nil = it is.
	StillAsked func(ctx context.Context, mailID string) (bool, error)
	// StillReads reports whether the recipient of a monthly report's mail may still read it; nil = they may.
	StillReads func(ctx context.Context, mailID string) (bool, error)

	memory memory // sessions, attempts and refusals held in memory; the zero value works
}

// New creates the verbs from what they need.
func New(o Options) *Accounts {
	a := &Accounts{Options: o}
	a.Audit = &audit.Trail{Store: o.Store, Log: o.Log, Now: o.Now, NewID: o.NewID, ServerKey: o.ServerKey, HeadPath: o.AuditHeadPath,
		Alarm: a.mailFault}
	a.Fresh, a.Writes, a.AnswerQuota = a.MustBeFreshIn, &record.Locks{}, &record.AnswerQuota{}
	a.Renamed = func(organizationID string) { a.AccessChanged("", organizationID) }
	return a
}

// NewID is the default identity seam: UUID v7 text.
func NewID() string { return uuid.Must(uuid.NewV7()).String() }

// now is the current instant.
func (a *Accounts) now() fleet.Instant { return fleet.InstantOf(a.Now()) }
