package record

import (
	"context"
	"errors"
	"math"

	"lightbar/internal/access"
	"lightbar/internal/fleet"
	"lightbar/internal/store"
)

// changedNoun is the current record after another person's edit was faster.
type changedNoun struct {
	Noun, ID       string
	OrganizationID string // the organization that owns it
	Version        int64
	UpdatedAt      fleet.Instant
}

// changesLooked limits how many audit rows after the last change are searched for it.
const changesLooked = 50

// conflictOf is the refusal (conflict, 409) of a change that started from an older version. It has the current record, when it was
// changed and by whom, as far as the actor may know. The person comes from the audit; without an audit row there is none.
func (b *Base) conflictOf(ctx context.Context, r store.Reader, actor *access.Actor, of changedNoun, message string, current any) error {
	refusal := &fleet.Refusal{Code: "conflict", Message: message, Current: current}
	row, err := lastChange(ctx, r, of)
	if err == nil && row.ID != "" {
		refusal.ChangedAt = row.At
		refusal.ChangedBy, err = NameOfActor(ctx, b, r, actor, row)
	}
	if err != nil { // the name is optional; the conflict itself is the answer
		b.Log.Warn("conflict without a name", "noun", of.Noun, "error", err)
	}
	return refusal
}

// withCurrent adds the current record to a conflict, as a success would have returned it to this actor; it reads after the
// transaction. Other errors pass unchanged.
func withCurrent[T any](err error, now func() (T, error)) error {
	var refusal *fleet.Refusal
	if !errors.As(err, &refusal) || refusal.Code != "conflict" || refusal.Current != nil {
		return err
	}
	current, failed := now()
	if failed != nil {
		return failed
	}
	refusal.Current = current
	return err
}

// lastChange finds the audit row that made the current version; a zero one when there is none.
func lastChange(ctx context.Context, r store.Reader, of changedNoun) (fleet.AuditRow, error) {
	rows, err := store.SearchAudit(ctx, r, store.AuditQuery{OrganizationID: of.OrganizationID, From: of.UpdatedAt, To: math.MaxInt64,
		Noun: of.Noun, NounID: of.ID, Limit: changesLooked})
	if err != nil {
		return fleet.AuditRow{}, err
	}
	for _, row := range rows {
		// A device's configuration counts its own versions.
		if row.Verb != "configure" && row.VersionMade() == of.Version {
			return row, nil
		}
	}
	return fleet.AuditRow{}, nil
}

// NameOfActor is what another user may know about the person who made a change: the name if the actor reaches that person's
// organization in full, the organization if it is in reach, else nothing.
func NameOfActor(ctx context.Context, a Verbs, r store.Reader, actor *access.Actor, row fleet.AuditRow) (string, error) {
	switch {
	case row.ActorKeyID != "":
		return "An API key", nil
	case row.ActorUserID == "":
		return "The system", nil
	case row.ActorUserID == actor.UserID:
		return "You", nil
	}
	organizationID, err := store.OrganizationOfUser(ctx, r, row.ActorUserID)
	if errors.Is(err, store.ErrNotFound) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	switch actor.Reach(organizationID) {
	case access.Full:
		return store.ActorName(ctx, r, row.ActorUserID, "")
	case access.Read:
		ref, _ := a.base().Live.Organization(organizationID)
		return ref.Name, nil
	}
	return "", nil
}
