package app

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"lightbar/catalog"
	"lightbar/internal/access"
	"lightbar/internal/fleet"
	"lightbar/internal/live"
	"lightbar/internal/store"
	"lightbar/internal/wire"
)

// findingsListed limits how far back a list goes: each page reads all rows before it.
var findingsListed = int(catalog.LimitInt("watchdog", "listed"))

// FindingQuery requests findings.
type FindingQuery struct {
	OrganizationIDs      []string
	State, Rule, ThingID string // "" = any
	Page, PerPage        int
}

// ListFindings returns what the watchdog found about assets that organizations in reach own or that are shared with them, newest
// first. Requires VIEW_THINGS. Refusals: not_found, validation_failed (an unknown rule, a page beyond the newest 10,000).
func (a *App) ListFindings(ctx context.Context, actor *access.Actor, q FindingQuery) ([]wire.Finding, wire.Meta, error) {
	if err := actor.Must("VIEW_THINGS"); err != nil {
		return nil, wire.Meta{}, err
	}
	organizations, err := actor.Reachable(q.OrganizationIDs)
	if err != nil {
		return nil, wire.Meta{}, err
	}
	page, perPage := fleet.Page(q.Page, q.PerPage)
	meta := wire.Meta{Page: page, PerPage: perPage, AsOf: a.now()}
	if q.Rule != "" && !fleet.IsWatchdogRule(q.Rule) {
		return nil, meta, fleet.RefuseFields(map[string]string{"rule": "Unknown rule"})
	}
	if (page-1)*perPage >= findingsListed {
		return nil, meta, fleet.RefuseFields(map[string]string{"page": fmt.Sprintf("Only the newest %d are listed.", findingsListed)})
	}
	rows := []wire.Finding{}
	err = a.Store.Read(ctx, func(r store.Reader) error {
		found, total, err := store.FindingsPage(ctx, r, store.FindingQuery{Organizations: organizations,
			Full:  func(id string) bool { return actor.Reach(id) == access.Full },
			State: q.State, Rule: q.Rule, ThingID: q.ThingID, First: (page - 1) * perPage, Most: perPage})
		if err != nil {
			return err
		}
		meta.Total = total
		names := mailedNames{}
		for i := range found {
			f := &found[i]
			if actor.Organizations[f.OrganizationID] != access.Full && !(actor.Super && slices.Contains(organizations, f.OrganizationID)) {
				rows = append(rows, a.findingPart(f))
				continue
			}
			row, err := a.findingWire(ctx, r, f, names)
			if err != nil {
				return err
			}
			rows = append(rows, row)
		}
		return nil
	})
	return rows, meta, err
}

// mailedNames are the names of users, each read once.
type mailedNames map[string]string

func (n mailedNames) of(ctx context.Context, r store.Reader, userID string) (string, error) {
	name, known := n[userID]
	if known {
		return name, nil
	}
	name, err := store.ActorName(ctx, r, userID, "")
	n[userID] = name
	return name, err
}

// findingWire is a finding as the people of its organization see it.
func (a *App) findingWire(ctx context.Context, r store.Reader, f *fleet.Finding, names mailedNames) (wire.Finding, error) {
	out := a.findingPart(f)
	if out.About == nil && f.About.Type != "" {
		out.About = &wire.FindingAbout{Type: f.About.Type, ID: f.About.ID, Name: f.About.Name}
	}
	for _, m := range f.Mailed {
		name, err := names.of(ctx, r, m.UserID)
		if err != nil {
			return out, err
		}
		out.Mailed = append(out.Mailed, wire.FindingMail{UserID: m.UserID, Name: name, At: m.At})
	}
	return out, nil
}

// findingPart is a finding for users who can only read its organization, or with whom its asset is shared: without the
// organization's people and accounts.
func (a *App) findingPart(f *fleet.Finding) wire.Finding {
	out := wire.Finding{ID: f.ID, Rule: f.Rule, OrganizationID: f.OrganizationID, BeganAt: f.BeganAt, FoundAt: f.FoundAt, EndedAt: f.EndedAt,
		Trial: f.Trial, Mailed: []wire.FindingMail{}, Held: f.Held}
	if f.About.Type != "" && f.About.Type != fleet.AboutIntegration {
		out.About = &wire.FindingAbout{Type: f.About.Type, ID: f.About.ID, Name: f.About.Name}
	}
	if f.ThingID != "" {
		out.ThingID = &f.ThingID
		if t, ok := a.Live.ThingOf(f.OrganizationID, f.ThingID); ok {
			out.ThingName = cmp.Or(t.Nickname, t.SystemName)
		}
	}
	return out
}

// tellFinding publishes a new or changed finding to everyone who sees its asset.
func (a *App) tellFinding(ctx context.Context, tx *store.Tx, c *live.Change, f *fleet.Finding, names mailedNames) error {
	full, err := a.findingWire(ctx, tx, f, names)
	if err != nil {
		return err
	}
	part := a.findingPart(f)
	own := []string{f.OrganizationID}
	tell(c, fleet.MessageFindingFull, f.ID, own, wire.EncodeRow(fleet.MessageFinding, full))
	if f.ThingID == "" {
		return nil
	}
	tell(c, fleet.MessageFindingPart, f.ID, own, wire.EncodeRow(fleet.MessageFinding, part))
	t, _, _, isThere := a.Live.Thing(f.ThingID)
	if !isThere || t.OrganizationID != f.OrganizationID {
		return nil
	}
	if others := slices.DeleteFunc(live.Audience(&t), func(id string) bool { return id == f.OrganizationID }); len(others) > 0 {
		tell(c, fleet.MessageFinding, f.ID, others, wire.EncodeRow(fleet.MessageFinding, part))
	}
	return nil
}
