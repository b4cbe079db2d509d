package people

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"slices"
	"time"

	"lightbar/catalog"
	"lightbar/internal/access"
	"lightbar/internal/audit"
	"lightbar/internal/fleet"
	"lightbar/internal/record"
	"lightbar/internal/secret"
	"lightbar/internal/store"
	"lightbar/internal/wire"
)

// touchKeyEvery is how often the row of a key in use is written: a write for each use would cost more than the reports. The exact
// time is in memory (keyUses).
const touchKeyEvery = 10 * time.Minute

var (
	keysPerUser = catalog.Setting("session", "keysPerUser")
	keyLife     = catalog.LimitMs("session", "keyLifeMs")
)

// revokedKeysShown is how long lists show a revoked key.
const revokedKeysShown = 30 * 24 * time.Hour

var keys = record.Noun[*Accounts, fleet.Key, wire.Key]{
	Name: "key", Word: "API key", Adds: "ADD_KEY", Removes: "DELETE_KEY", Proved: true,
	Load: func(e *record.Editing[*Accounts, fleet.Key]) (fleet.Key, error) {
		k, err := store.KeyByID(e, e.Tx, e.ID)
		if errors.Is(err, store.ErrNotFound) || (err == nil && e.Actor.Reach(k.OrganizationID) != access.Full) {
			return k, fleet.Refuse("not_found", "", "API key not found")
		}
		return k, err
	},
	Of:  func(k *fleet.Key) record.Header { return record.Header{Owner: k.OrganizationID} },
	Doc: func(k *fleet.Key) any { return KeyDoc(*k) },
}

// CreateKey creates an API key and returns it as lists show it, with its secret: the only time that it is shown. A key of one asset
// can be created for assets of organizations in full reach. The request sets when the key ends, or that it never does; without
// either, a user's key ends after a year, and one created on the server never. Requires ADD_KEY and a fresh proof. A request
// repeated with the same Idempotency-Key within a day creates no second one. Refusals: key_made, idempotency_key_reused, key_limit,
// organization_not_found, thing_not_found, validation_failed, step_up_required.
func (a *Accounts) CreateKey(ctx context.Context, actor *access.Actor, in wire.KeyCreate) (wire.Key, string, error) {
	var once *madeKey
	secret := ""
	k, err := record.Create(ctx, a, actor, &keys, func(e *record.Editing[*Accounts, fleet.Key]) (err error) {
		if err := e.Prove(); err != nil { // before looking at what an earlier request created
			return err
		}
		if once, err = a.keyRequest(actor, in); err != nil {
			return err
		}
		if once != nil {
			e.Hold(a.Writes.Lock(once.name))
			if err := a.mustBeNew(ctx, actor, once); err != nil {
				return err
			}
		}
		e.Next, secret, err = a.newKey(actor, in)
		e.ID = e.Next.ID
		return err
	}, func(e *record.Editing[*Accounts, fleet.Key]) error {
		if err := a.mustHaveRoomForKey(ctx, e.Tx, actor); err != nil {
			return err
		}
		if err := placeKey(ctx, e.Tx, actor, &e.Next); err != nil {
			return err
		}
		if err := e.Tx.InsertKey(ctx, e.Next); err != nil {
			return err
		}
		if once != nil {
			if err := once.keepIn(ctx, e.Tx, actor, e.ID, e.At); err != nil {
				return err
			}
		}
		return a.mailKey(ctx, e.Tx, e.Next)
	})
	if err != nil {
		return wire.Key{}, "", err
	}
	shown, err := a.keyNow(ctx, k.ID)
	return shown, secret, err
}

// keyNow is the current key, for the answers of verbs that have already checked access.
func (a *Accounts) keyNow(ctx context.Context, id string) (wire.Key, error) {
	r := a.Store.Reader()
	row, err := store.KeyRowByID(ctx, r, id)
	if err != nil {
		return wire.Key{}, err
	}
	return a.keyWire(ctx, r, row, map[string]*access.Actor{})
}

// mailKey notifies a user that a key was created under their name.
func (a *Accounts) mailKey(ctx context.Context, tx *store.Tx, k fleet.Key) error {
	if k.UserID == "" {
		return nil
	}
	u, err := store.UserByID(ctx, tx, k.UserID)
	if err != nil {
		return err
	}
	return a.QueueMail(ctx, tx, Mail{Kind: "new_key", UserID: u.ID, To: u.Email, Data: map[string]string{"what": k.Description}})
}

// newKey applies the rules that need no database.
func (a *Accounts) newKey(actor *access.Actor, in wire.KeyCreate) (fleet.Key, string, error) {
	now, fields := a.now(), map[string]string{}
	k := fleet.Key{ID: a.NewID(), UserID: actor.UserID, CreatedAt: now}
	if in.ExpiresAt != nil && *in.ExpiresAt != "" {
		var err error
		if k.ExpiresAt, err = fleet.ParseInstant(*in.ExpiresAt); err != nil {
			fields["expires_at"] = "The time must be text such as 2026-11-21T10:42:07.250Z."
		}
	}
	if in.Scope != "" && (in.Scope != "ingest" || in.ThingID != "") && (in.Scope != "thing" || in.ThingID == "") {
		fields["scope"] = "The scope must be ingest, or thing with an asset in thing_id."
	}
	if len(fields) > 0 {
		return k, "", fleet.RefuseFields(fields)
	}
	wire.Same(&k, &in)
	k.Scopes = scopesOf(fields, in)
	wire.Texts(fields, &k, &in)
	switch {
	case k.ExpiresAt != 0 && in.NeverEnds:
		fields["never_ends"] = "A key that never ends has no expires_at."
	case k.ExpiresAt != 0 && k.ExpiresAt <= now:
		fields["expires_at"] = "Must be in the future"
	case k.ExpiresAt == 0 && !in.NeverEnds && actor.UserID != "":
		k.ExpiresAt = now.Add(keyLife)
	}
	if len(fields) > 0 {
		return k, "", fleet.RefuseFields(fields)
	}
	bytes := secretBytes
	if k.ThingID != "" {
		bytes = deviceBytes
	}
	secret := secret.RandomToken(prefixKey, bytes)
	sum := sha256.Sum256([]byte(secret))
	k.Hash, k.Prefix = sum[:], secret[:len(prefixKey)+4]
	return k, secret, nil
}

// placeKey finds the key's organization and refuses what is out of reach, as if it did not exist.
func placeKey(ctx context.Context, tx *store.Tx, actor *access.Actor, k *fleet.Key) error {
	owner := ""
	if k.ThingID != "" {
		var err error
		owner, err = store.OrganizationOfThing(ctx, tx, k.ThingID)
		if err != nil && !errors.Is(err, store.ErrNotFound) {
			return err
		}
		if k.OrganizationID == "" && actor.Reach(owner) == access.Full {
			k.OrganizationID = owner
		}
	}
	if k.OrganizationID == "" {
		k.OrganizationID = actor.OrganizationID
	}
	if err := actor.MustReachFully(k.OrganizationID); err != nil {
		return err
	}
	if k.ThingID != "" && owner != k.OrganizationID {
		return fleet.Refuse("thing_not_found", "thing_id", "Asset not found")
	}
	return record.LockOrganizations(ctx, tx, k.OrganizationID)
}

// mustHaveRoomForKey refuses a user who already has the maximum of working
// keys. The user's row is locked, so that two parallel requests cannot both
// take the last place.
func (a *Accounts) mustHaveRoomForKey(ctx context.Context, tx *store.Tx, actor *access.Actor) error {
	if actor.UserID == "" {
		return nil
	}
	if _, err := tx.LockUser(ctx, actor.UserID); err != nil {
		return err
	}
	n, err := store.CountKeysOf(ctx, tx, actor.UserID, a.now())
	if err != nil || n < int64(keysPerUser.Int()) {
		return err
	}
	return fleet.Refuse("key_limit", "", "Your User has reached the API Key limit")
}

// ListKeys returns the API keys of organizations, newest first, without their secrets; revoked ones for a month. Requires VIEW_KEYS
// and full reach: keys are not among what an accessor may read. Refusals: not_found.
func (a *Accounts) ListKeys(ctx context.Context, actor *access.Actor, organizationIDs []string) ([]wire.Key, wire.Meta, error) {
	if err := actor.Must("VIEW_KEYS"); err != nil {
		return nil, wire.Meta{}, err
	}
	organizations, err := actor.Reachable(organizationIDs)
	if err != nil {
		return nil, wire.Meta{}, err
	}
	for _, id := range organizations {
		if actor.Reach(id) != access.Full {
			return nil, wire.Meta{}, fleet.Refuse("not_found", "org_ids[]", "Organization not found")
		}
	}
	out := []wire.Key{}
	err = a.Store.Read(ctx, func(r store.Reader) error {
		seen, makers := map[string]bool{}, map[string]*access.Actor{}
		for _, id := range organizations {
			if seen[id] {
				continue
			}
			seen[id] = true
			rows, err := store.KeysOf(ctx, r, id, a.now().Add(-revokedKeysShown))
			if err != nil {
				return err
			}
			for _, k := range rows {
				w, err := a.keyWire(ctx, r, k, makers)
				if err != nil {
					return err
				}
				out = append(out, w)
			}
		}
		return nil
	})
	if err != nil {
		return nil, wire.Meta{}, err
	}
	slices.SortFunc(out, func(x, y wire.Key) int {
		return cmp.Or(cmp.Compare(y.CreatedDate, x.CreatedDate), cmp.Compare(y.ID, x.ID))
	})
	return out, wire.SinglePage(len(out), a.now()), nil
}

// keyWire is a key as lists show it; makers caches the users that were looked up.
func (a *Accounts) keyWire(ctx context.Context, r store.Reader, k store.KeyRow, makers map[string]*access.Actor) (wire.Key, error) {
	out := wire.Key{ID: k.ID, Description: k.Description, Prefix: k.Prefix, Scope: "ingest", Scopes: k.Scopes, ThingName: k.ThingName,
		UserName:       k.UserName,
		OrganizationID: k.OrganizationID, CreatedDate: k.CreatedAt, ExpiresAt: k.ExpiresAt,
		LastUsedAt: a.memory.keyUses.last(k.ID, k.LastUsedAt), RevokedAt: k.RevokedAt}
	if k.ThingID != "" {
		out.Scope, out.ThingID = "thing", &k.ThingID
	}
	if k.UserID != "" {
		out.UserID = &k.UserID
	}
	if k.RevokedAt != 0 || (k.ExpiresAt != 0 && a.now() >= k.ExpiresAt) || (k.ThingID != "" && k.ThingOwner != k.OrganizationID) {
		return out, nil
	}
	maker, known := makers[k.UserID]
	if !known {
		var err error
		if maker, err = keyMaker(ctx, r, k.UserID); err != nil {
			return out, err
		}
		makers[k.UserID] = maker
	}
	out.Works = mayKeep(maker, k.Key)
	return out, nil
}

// RevokeKey ends an API key at once. It is idempotent. Requires DELETE_KEY,
// full reach of the organization and a fresh proof. Refusals: not_found, step_up_required.
func (a *Accounts) RevokeKey(ctx context.Context, actor *access.Actor, id string) error {
	return record.Remove(ctx, a, actor, &keys, id, nil, func(e *record.Editing[*Accounts, fleet.Key]) error {
		e.Verb = "revoke"
		ended, err := e.Tx.RevokeKey(e, id, e.At)
		if err != nil {
			return err
		}
		if !ended {
			e.Rows = []audit.Row{}
		}
		e.Afterwards(func() error {
			a.memory.tokens.drop(func(actor *access.Actor) bool { return actor.KeyID == id })
			a.Bus.AccessChanged("", e.Old.OrganizationID) // followers of alerts with this key are disconnected at once
			return nil
		})
		return nil
	})
}

// KeyDoc is what the audit shows of a key: never the secret nor its hash.
func KeyDoc(k fleet.Key) any {
	return map[string]any{"description": k.Description, "prefix": k.Prefix, "scopes": k.Scopes, "thing_id": k.ThingID,
		"expires_at": k.ExpiresAt}
}

// AuthenticateKey turns the secret of an API key into an actor that may do what its scopes allow for the assets of its organization
// (or report for its one asset) and nothing else. Refusals: invalid_key.
func (a *Accounts) AuthenticateKey(ctx context.Context, token, network string) (*access.Actor, error) {
	if !secret.WellFormed(prefixKey, token) {
		return nil, refuseKey()
	}
	sum := sha256.Sum256([]byte(token))
	now, hash := a.now(), hex.EncodeToString(sum[:])
	t, ok := a.memory.tokens.get(hash, now)
	if !ok {
		began := a.memory.tokens.begin()
		k, err := store.KeyByHash(ctx, a.Store.Reader(), sum[:])
		if errors.Is(err, store.ErrNotFound) {
			return nil, refuseKey()
		}
		if err != nil {
			return nil, err
		}
		if t, err = a.lookUpKey(ctx, k, now); err != nil {
			return nil, err
		}
		a.memory.tokens.put(hash, t, began)
	}
	actor := *t.actor
	actor.Network = network
	return &actor, nil
}

func refuseKey() error { return fleet.Refuse("invalid_key", "", "Invalid API key.") }

func (a *Accounts) lookUpKey(ctx context.Context, k fleet.Key, now fleet.Instant) (cachedToken, error) {
	if err := a.mayUseKey(ctx, a.Store.Reader(), k); err != nil {
		return cachedToken{}, err
	}
	a.memory.keyUses.note(k.ID, now)
	if now.Sub(k.LastUsedAt) >= touchKeyEvery || k.LastUsedAt == 0 {
		if err := a.Store.Write(ctx, func(tx *store.Tx) error { return tx.TouchKey(ctx, k.ID, now) }); err != nil {
			a.Log.Warn("key use not noted", "key", k.ID, "error", err) // a full disk must not lock devices out
		}
	}
	expires := k.ExpiresAt
	if expires == 0 {
		expires = now.Add(24 * time.Hour)
	}
	return cachedToken{loadedAt: now, expiresAt: expires, actor: &access.Actor{KeyID: k.ID, KeyThingID: k.ThingID, KeyScopes: k.Scopes,
		OrganizationID: k.OrganizationID,
		Permissions:    map[string]bool{}, Organizations: map[string]access.Reach{k.OrganizationID: access.Full}}}, nil
}

// mayUseKey refuses (invalid_key) a key that was revoked or has expired, whose organization is gone, whose asset went to another
// organization, or whose creator could no longer create it: removed, suspended, without the permission or without reach. Keys
// created on the server itself have no creator.
func (a *Accounts) mayUseKey(ctx context.Context, r store.Reader, k fleet.Key) error {
	if k.RevokedAt != 0 || (k.ExpiresAt != 0 && a.now() >= k.ExpiresAt) {
		return refuseKey()
	}
	o, err := store.OrganizationByID(ctx, r, k.OrganizationID)
	if err != nil {
		return err
	}
	if o.DeletedAt != 0 {
		return refuseKey()
	}
	if k.ThingID != "" {
		owner, err := store.OrganizationOfThing(ctx, r, k.ThingID)
		if err != nil && !errors.Is(err, store.ErrNotFound) {
			return err
		}
		if owner != k.OrganizationID {
			return refuseKey()
		}
	}
	maker, err := keyMaker(ctx, r, k.UserID)
	if err != nil {
		return err
	}
	if !mayKeep(maker, k) {
		return refuseKey()
	}
	return nil
}

// keyMaker is the user who created a key as an actor; nil when the user has been removed or suspended, the system for a key created
// on the server itself.
func keyMaker(ctx context.Context, r store.Reader, userID string) (*access.Actor, error) {
	if userID == "" {
		return access.System(), nil
	}
	u, err := store.UserByID(ctx, r, userID)
	if errors.Is(err, store.ErrNotFound) || (err == nil && u.Suspended) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	relations, err := store.RelationsOf(ctx, r, u.OrganizationID)
	if err != nil {
		return nil, err
	}
	return access.Of(u, "", relations), nil
}

// mayKeep reports whether the creator of a key could still create such a key.
func mayKeep(maker *access.Actor, k fleet.Key) bool {
	return maker != nil && maker.Meets("ADD_KEY") && maker.Reach(k.OrganizationID) == access.Full
}

// KeyHolds reports whether a key may still be used.
func (a *Accounts) KeyHolds(ctx context.Context, r store.Reader, id string) (bool, error) {
	k, err := store.KeyByID(ctx, r, id)
	if errors.Is(err, store.ErrNotFound) {
		return false, nil
	}
	if err == nil {
		err = a.mayUseKey(ctx, r, k)
	}
	if refusal := (*fleet.Refusal)(nil); errors.As(err, &refusal) {
		return false, nil
	}
	return err == nil, err
}
