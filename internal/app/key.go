package app

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"strings"
	"time"

	"lightbar/internal/fleet"
	"lightbar/internal/store"
)

// The scopes of API keys: all assets of an organization, or one asset (a phone with a tracker app).
const (
	ScopeIngest = "ingest"
	ScopeThing  = "thing"
)

const touchKeyEvery = 10 * time.Minute

// NewKey asks for an API key.
type NewKey struct {
	OrganizationID string
	Description    string
	Scope          string        // ScopeIngest or ScopeThing
	ThingID        string        // for ScopeThing
	ExpiresAt      fleet.Instant // 0 = none
}

// CreateKey makes an API key and answers its secret, the only time it is
// shown. Requires ADD_KEY and full reach of the organization.
func (a *App) CreateKey(ctx context.Context, actor *Actor, in NewKey) (fleet.Key, string, error) {
	if err := actor.Must("ADD_KEY"); err != nil {
		return fleet.Key{}, "", err
	}
	if err := mustReachFully(actor, in.OrganizationID); err != nil {
		return fleet.Key{}, "", err
	}
	description := strings.TrimSpace(in.Description)
	if description == "" || len(description) > 200 {
		return fleet.Key{}, "", fleet.Refuse("validation_failed", "description", "Required")
	}
	bytes := secretBytes
	switch {
	case in.Scope == ScopeIngest && in.ThingID == "":
	case in.Scope == ScopeThing && in.ThingID != "":
		bytes = deviceBytes
	default:
		return fleet.Key{}, "", fleet.Refuse("validation_failed", "scope", "The scope is ingest, or thing with an asset.")
	}
	secret := randomToken(prefixKey, bytes)
	sum := sha256.Sum256([]byte(secret))
	k := fleet.Key{ID: a.NewID(), OrganizationID: in.OrganizationID, UserID: actor.UserID, Description: description, Hash: sum[:],
		Prefix: secret[:len(prefixKey)+4], Scope: in.Scope, ThingID: in.ThingID, CreatedAt: a.now(), ExpiresAt: in.ExpiresAt}
	err := a.Store.Write(ctx, func(tx *store.Tx) error {
		if err := mustBeOrganization(ctx, tx, in.OrganizationID); err != nil {
			return err
		}
		if in.Scope == ScopeThing {
			owner, err := store.OrganizationOfThing(ctx, tx, in.ThingID)
			if errors.Is(err, store.ErrNotFound) || (err == nil && owner != in.OrganizationID) {
				return fleet.Refuse("thing_not_found", "thing_id", "Asset not found")
			}
			if err != nil {
				return err
			}
		}
		if err := tx.InsertKey(ctx, k); err != nil {
			return err
		}
		return a.writeAudit(ctx, tx, actor, audited{Verb: "create", Noun: "key", NounID: k.ID, OrganizationID: k.OrganizationID, After: keyDoc(k)})
	})
	if err != nil {
		return fleet.Key{}, "", err
	}
	return k, secret, nil
}

// RevokeKey ends an API key at once. It is idempotent. Requires DELETE_KEY and full reach of the organization.
func (a *App) RevokeKey(ctx context.Context, actor *Actor, id string) error {
	if err := actor.Must("DELETE_KEY"); err != nil {
		return err
	}
	err := a.Store.Write(ctx, func(tx *store.Tx) error {
		k, err := store.KeyByID(ctx, tx, id)
		if errors.Is(err, store.ErrNotFound) || (err == nil && actor.Reach(k.OrganizationID) != ReachFull) {
			return fleet.Refuse("not_found", "", "API key not found")
		}
		if err != nil {
			return err
		}
		ended, err := tx.RevokeKey(ctx, id, a.now())
		if err != nil || !ended {
			return err
		}
		return a.writeAudit(ctx, tx, actor, audited{Verb: "revoke", Noun: "key", NounID: id, OrganizationID: k.OrganizationID, Before: keyDoc(k)})
	})
	if err == nil {
		a.people.tokens.drop(func(actor *Actor) bool { return actor.KeyID == id })
	}
	return err
}

// keyDoc is what audit shows of a key: never the secret nor its hash.
func keyDoc(k fleet.Key) any {
	return map[string]any{"description": k.Description, "prefix": k.Prefix, "scope": k.Scope, "thing_id": k.ThingID, "expires_at": k.ExpiresAt}
}

// AuthenticateKey turns the secret of an API key into an actor that may report
// for the assets of its organization (or for its one asset) and nothing else.
// Refusals: invalid_key.
func (a *App) AuthenticateKey(ctx context.Context, secret, network string) (*Actor, error) {
	if !wellFormed(prefixKey, secret) {
		return nil, refuseKey()
	}
	sum := sha256.Sum256([]byte(secret))
	now, hash := a.now(), hex.EncodeToString(sum[:])
	t, ok := a.people.tokens.get(hash, now)
	if !ok {
		began := a.people.tokens.begin()
		k, err := store.KeyByHash(ctx, a.Store.Reader(), sum[:])
		if errors.Is(err, store.ErrNotFound) {
			return nil, refuseKey()
		}
		if err != nil {
			return nil, err
		}
		if t, err = a.trustKey(ctx, k, now); err != nil {
			return nil, err
		}
		a.people.tokens.put(hash, t, began)
	}
	actor := *t.actor
	actor.Network = network
	return &actor, nil
}

func refuseKey() error { return fleet.Refuse("invalid_key", "", "The API key is not valid.") }

func (a *App) trustKey(ctx context.Context, k fleet.Key, now fleet.Instant) (trusted, error) {
	if k.RevokedAt != 0 || (k.ExpiresAt != 0 && now >= k.ExpiresAt) {
		return trusted{}, refuseKey()
	}
	o, err := store.OrganizationByID(ctx, a.Store.Reader(), k.OrganizationID)
	if err != nil {
		return trusted{}, err
	}
	if o.DeletedAt != 0 {
		return trusted{}, refuseKey()
	}
	if now.Sub(k.LastUsedAt) >= touchKeyEvery || k.LastUsedAt == 0 {
		if err := a.Store.Write(ctx, func(tx *store.Tx) error { return tx.TouchKey(ctx, k.ID, now) }); err != nil {
			a.Log.Warn("key use not noted", "key", k.ID, "error", err) // a full disk must not shut devices out
		}
	}
	expires := k.ExpiresAt
	if expires == 0 {
		expires = now.Add(24 * time.Hour)
	}
	return trusted{loadedAt: now, expiresAt: expires, actor: &Actor{KeyID: k.ID, KeyThingID: k.ThingID, OrganizationID: k.OrganizationID,
		Permissions: map[string]bool{}, Organizations: map[string]Reach{k.OrganizationID: ReachFull}}}, nil
}
