package app

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"lightbar/catalog"
	"lightbar/internal/access"
	"lightbar/internal/audit"
	"lightbar/internal/fleet"
	"lightbar/internal/live"
	"lightbar/internal/store"
)

// registerPiece is how many assets are created in one transaction: some 4 ms in which everybody's reports wait. Smaller pieces cost
// twice the time.
const registerPiece = 100

var assetsPerOrganization = catalog.Setting("assets", "perOrganization")

// Registered is the result of registering a list of assets.
type Registered struct {
	Created int   `json:"created" doc:"created by this request; they stay"`
	Known   int   `json:"known" doc:"already known, or listed twice: unchanged"`
	Missing []int `json:"missing,omitempty" doc:"with an error: positions in the list, from 0, that were not created"`
}

// registering is a request in progress: the assets of its list that do not exist yet.
type registering struct {
	actor  *access.Actor
	things []*fleet.Thing
	at     []int // beside things: where in the list
	done   int   // of things
	out    Registered
}

// RegisterByKey creates the assets for which a gateway reports; those that its organization already has stay as they are. Requires
// an API key of a whole organization with the scope register. The whole list is judged before anything is created. Then assets are
// created in the order of the list, a few at a time, and in between others get their turn; each piece is a transaction and leaves
// one audit row with the key. When one of them fails, what was created before stays: the refusal's Current has it (Registered), and
// the list may be sent again. Refusals: forbidden, scope_register_missing, too_many_items, validation_failed, asset_limit,
// rate_limited, and those of storage.
func (a *App) RegisterByKey(ctx context.Context, actor *access.Actor, in []NewThing) (Registered, error) {
	if actor.KeyID == "" || actor.KeyThingID != "" {
		return Registered{}, fleet.Refuse("forbidden", "", "Only an organization's API key can register assets.")
	}
	if err := actor.MustRegister(); err != nil {
		return Registered{}, err
	}
	if len(in) > itemsPerBatch {
		return Registered{}, TooManyItems("things")
	}
	r, err := a.judgeList(actor, in)
	if err != nil || len(r.things) == 0 {
		return r.out, err
	}
	leave, err := a.turns.join(actor.OrganizationID)
	if err != nil {
		return Registered{}, err
	}
	defer leave()
	for {
		began := time.Now()
		if err := a.turns.take(ctx, actor.OrganizationID, func() error { return a.registerSome(ctx, r) }); err != nil {
			return r.out, r.refuse(err)
		}
		if r.done == len(r.things) {
			return r.out, nil
		}
		giveWay(ctx, time.Since(began))
	}
}

// judgeList finds the assets of a list that do not exist yet, and refuses the whole list when one of those is invalid.
func (a *App) judgeList(actor *access.Actor, in []NewThing) (*registering, error) {
	r := &registering{actor: actor}
	said, given, now := map[string]bool{}, newNames{}, a.now()
	for i := range in {
		letOthers(i)
		t := in[i]
		t.OrganizationID, t.SystemName, t.Relations = actor.OrganizationID, strings.TrimSpace(t.SystemName), nil
		key := store.SystemKey(t.SystemName)
		if a.isKnown(t.OrganizationID, t.SystemName) || said[key] {
			r.out.Known++
			continue
		}
		said[key] = true
		made, err := a.newThing(actor, &t, now)
		if err == nil {
			err = a.mustBeFree(given, made, i)
		}
		if err != nil {
			return r, atRow(err, i, len(in))
		}
		r.things, r.at = append(r.things, made), append(r.at, i)
	}
	return r, a.mustHaveRoom(actor.OrganizationID, len(r.things))
}

// isKnown reports whether an asset of an organization has a system name.
func (a *App) isKnown(organizationID, systemName string) bool {
	return slices.ContainsFunc(a.Live.Named(organizationID, systemName), func(id string) bool {
		t, _, _, _ := a.Live.Thing(id)
		return store.SystemKey(t.SystemName) == store.SystemKey(systemName)
	})
}

// registerSome creates the next assets of a list in one transaction.
func (a *App) registerSome(ctx context.Context, r *registering) error {
	org := r.actor.OrganizationID
	var next, things []*fleet.Thing
	err := a.Change(ctx, func(c *live.Change, tx *store.Tx) error {
		next = r.things[r.done:min(r.done+registerPiece, len(r.things))]
		things = slices.DeleteFunc(slices.Clone(next), func(t *fleet.Thing) bool { // created by another request in the meantime
			return a.isKnown(org, t.SystemName)
		})
		for _, t := range things { // its names may have been taken in the meantime too
			if wrong := a.namedNow(t, nil); len(wrong) > 0 {
				return fleet.RefuseFields(wrong)
			}
		}
		if _, known := a.Live.Organization(org); !known {
			return fleet.Refuse("organization_not_found", "organization_id", "Organization not found")
		}
		if err := a.mustHaveRoom(org, len(things)); err != nil {
			return err
		}
		return a.insertKnown(ctx, tx, r.actor, c, things)
	})
	if err != nil {
		return err
	}
	r.done += len(next)
	r.out.Created += len(things)
	r.out.Known += len(next) - len(things)
	return nil
}

// insertKnown writes assets with one audit row, and puts them into the picture.
func (a *App) insertKnown(ctx context.Context, tx *store.Tx, actor *access.Actor, c *live.Change, things []*fleet.Thing) error {
	if len(things) == 0 {
		return nil
	}
	for _, t := range things {
		t.CreatedAt, t.UpdatedAt = c.Now(), c.Now()
		if err := tx.InsertThing(ctx, t); err != nil {
			return err
		}
		a.putNew(c, t)
	}
	return a.Audit.Write(ctx, tx, actor, audit.Row{Verb: "register", Noun: "thing", OrganizationID: actor.OrganizationID,
		After: registeredDoc(things)})
}

// registeredThing is what the audit stores about each asset that a key registers: everything that was sent for it. The rest follows
// from the law of new assets.
type registeredThing struct {
	ID         string `json:"id"`
	SystemName string `json:"haas_id"`
	ExternalID string `json:"external_id,omitempty"`
	Nickname   string `json:"nickname,omitempty"`
	TypeID     string `json:"type_id"`
	DeviceType string `json:"device_type"`
	Version    int64  `json:"version"`
}

func registeredDoc(things []*fleet.Thing) any {
	list := make([]registeredThing, len(things))
	for i, t := range things {
		list[i] = registeredThing{t.ID, t.SystemName, t.ExternalID, t.Nickname, t.TypeID, t.DeviceType, t.Version}
	}
	return map[string]any{"count": len(list), "things": list}
}

// firstSentence returns what is wrong, without the advice for a request that is accepted or refused as a whole.
func firstSentence(text string) string {
	if end := strings.Index(text, ". "); end >= 0 {
		return text[:end+1]
	}
	return text
}

// refuse returns why a list was not fully registered, and what was. If nothing was created, the refusal is enough.
func (r *registering) refuse(err error) error {
	var refusal *fleet.Refusal
	if !errors.As(err, &refusal) {
		if refusal = StorageRefusal(err); refusal == nil {
			refusal = &fleet.Refusal{Code: "busy", Message: "The server is busy. Please send it again.", RetryAfterS: 5}
		}
	}
	r.out.Missing = r.at[r.done:]
	out := *refusal
	out.Current = r.out
	if r.out.Created > 0 {
		out.Message = fmt.Sprintf("%d of %d assets were created. The others were not: %s You can send the same list again.",
			r.out.Created, r.out.Created+len(r.out.Missing), firstSentence(refusal.Message))
	}
	return &out
}

// mustHaveRoom refuses (asset_limit) more assets than an organization may have.
func (a *App) mustHaveRoom(organizationID string, more int) error {
	n, most := a.Live.CountOwned(organizationID), assetsPerOrganization.Int()
	if more == 0 || n+more <= most {
		return nil
	}
	return fleet.Refuse("asset_limit", "", fmt.Sprintf("This organization has %d assets and can have %d. These are %d more.", n, most, more))
}
