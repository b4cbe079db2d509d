package audit

import (
	"context"
	"encoding/json"
	"math"
	"time"

	"lightbar/internal/access"
	"lightbar/internal/fleet"
	"lightbar/internal/store"
	"lightbar/internal/wire"
)

// Query asks for the audit rows of one organization; empty texts mean any.
type Query struct {
	OrganizationID string // empty = the actor's own; Nobody = events that belong to no organization
	From, To       fleet.Instant
	Verb, Noun     string
	NounID         string
	ActorID        string
	Page, PerPage  int
}

// Nobody names the events that belong to no organization, in place of an id.
const Nobody = "none"

// List answers a page of audit rows, newest first. Requires VIEW_AUDIT
// and full reach of the organization. Refusals: forbidden, not_found.
func (a *Trail) List(ctx context.Context, actor *access.Actor, q Query) ([]wire.AuditEntry, wire.Meta, error) {
	s, err := searchOf(actor, q)
	if err != nil {
		return nil, wire.Meta{}, err
	}
	page, perPage := fleet.Page(q.Page, q.PerPage)
	s.Limit, s.Offset = perPage, (page-1)*perPage
	r := a.Store.Reader()
	total, err := store.CountAudit(ctx, r, s)
	if err != nil {
		return nil, wire.Meta{}, err
	}
	rows, err := store.SearchAudit(ctx, r, s)
	if err != nil {
		return nil, wire.Meta{}, err
	}
	entries, err := a.entries(ctx, rows, map[string]string{})
	return entries, wire.Meta{Page: page, PerPage: perPage, Total: total, AsOf: a.now()}, err
}

// Export hands every matching row to each, newest first. The permission
// is checked and the first rows are read before it answers, so that what can be
// refused in words is. Requires VIEW_AUDIT and full reach.
func (a *Trail) Export(ctx context.Context, actor *access.Actor, q Query) (func(each func(wire.AuditEntry) error) error, error) {
	s, err := searchOf(actor, q)
	if err != nil {
		return nil, err
	}
	s.To = min(s.To, a.now().Add(time.Millisecond)) // what happens during the export must not shift its pages
	s.Limit = 500
	first, err := store.AuditBefore(ctx, a.Store.Reader(), s, s.To, "") // what cannot be read at all is said before the answer begins
	if err != nil {
		return nil, err
	}
	return func(each func(wire.AuditEntry) error) error {
		names := map[string]string{}
		for rows := first; ; {
			entries, err := a.entries(ctx, rows, names)
			if err != nil {
				return err
			}
			for _, e := range entries {
				if err := each(e); err != nil {
					return err
				}
			}
			if len(rows) < s.Limit {
				return nil
			}
			last := rows[len(rows)-1]
			if rows, err = store.AuditBefore(ctx, a.Store.Reader(), s, last.At, last.ID); err != nil {
				return err
			}
		}
	}, nil
}

func searchOf(actor *access.Actor, q Query) (store.AuditQuery, error) {
	s := store.AuditQuery{OrganizationID: q.OrganizationID, From: q.From, To: q.To, Verb: q.Verb, Noun: q.Noun, NounID: q.NounID,
		ActorID: q.ActorID}
	if err := actor.Must("VIEW_AUDIT"); err != nil {
		return s, err
	}
	if s.To == 0 {
		s.To = math.MaxInt64
	}
	switch {
	case s.OrganizationID == Nobody:
		s.OrganizationID = ""
		return s, actor.Must("MANAGE_PLATFORM")
	case s.OrganizationID == "":
		s.OrganizationID = actor.OrganizationID
	}
	if actor.Reach(s.OrganizationID) != access.Full {
		return s, fleet.Refuse("not_found", "organization_id", "Organization not found")
	}
	return s, nil
}

// entries names the actors; names remembers those looked up already.
func (a *Trail) entries(ctx context.Context, rows []fleet.AuditRow, names map[string]string) ([]wire.AuditEntry, error) {
	out := make([]wire.AuditEntry, 0, len(rows))
	for _, r := range rows {
		who := wire.AuditActor{ID: r.ActorUserID, Kind: "user"}
		switch {
		case r.ActorKeyID != "":
			who = wire.AuditActor{ID: r.ActorKeyID, Kind: "key"}
		case r.ActorUserID == "":
			who = wire.AuditActor{Kind: "system", Name: "Server"}
		}
		if who.ID != "" {
			name, known := names[who.ID]
			if !known {
				var err error
				if name, err = store.ActorName(ctx, a.Store.Reader(), r.ActorUserID, r.ActorKeyID); err != nil {
					return nil, err
				}
				names[who.ID] = name
			}
			who.Name = name
		}
		out = append(out, wire.AuditEntry{ID: r.ID, At: r.At, Actor: who, OrganizationID: r.OrganizationID, Network: r.Network, Verb: r.Verb,
			Noun:   r.Noun,
			NounID: r.NounID, Before: docOf(r.Before), After: docOf(r.After), RequestID: r.RequestID, Sealed: r.SealNo > 0})
	}
	return out, nil
}

// docOf is a stored document as it is; nil when there is none.
func docOf(doc []byte) any {
	if len(doc) == 0 || !json.Valid(doc) {
		return nil
	}
	return json.RawMessage(doc)
}
