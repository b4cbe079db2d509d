package people

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"lightbar/catalog"
	"lightbar/internal/access"
	"lightbar/internal/fleet"
	"lightbar/internal/record"
	"lightbar/internal/store"
	"lightbar/internal/wire"
)

// madeKey is what is stored about a request that created an API key. It never contains the secret, so repeating the request cannot
// return the first answer again; it only returns which key was created.
type madeKey struct {
	name, digest string
}

// keyRequest identifies a request for a key by its Idempotency-Key; nil without one.
func (a *Accounts) keyRequest(actor *access.Actor, in wire.KeyCreate) (*madeKey, error) {
	if in.Once == "" || actor.UserID == "" {
		return nil, nil
	}
	if len(in.Once) > 255 {
		return nil, fleet.Refuse("validation_failed", "Idempotency-Key", "The key can have at most 255 characters.")
	}
	text, err := json.Marshal(in)
	if err != nil {
		return nil, err
	}
	return &madeKey{name: record.AnswerName(actor.UserID, in.Once), digest: a.DigestRequest("key", string(text))}, nil
}

// mustBeNew refuses a request that created a key before: key_made names it. A different request with the same Idempotency-Key is
// refused (idempotency_key_reused).
func (a *Accounts) mustBeNew(ctx context.Context, actor *access.Actor, m *madeKey) error {
	kept, err := store.AnswerByKey(ctx, a.Store.Reader(), m.name, a.now().Add(-record.AnswerLifetime))
	if errors.Is(err, store.ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	if record.OtherRequest(kept, m.digest) {
		return fleet.Refuse("idempotency_key_reused", "Idempotency-Key", "This Idempotency-Key was already used for a different request.")
	}
	row, err := store.KeyRowByID(ctx, a.Store.Reader(), kept.Body)
	if err != nil {
		return err
	}
	refusal := fleet.Refuse("key_made", "", fmt.Sprintf("This request already created the API key %q (%s…). "+
		"Its token can't be shown again. If you lost it, revoke the key and create another.",
		row.Description, row.Prefix))
	if actor.Reach(row.OrganizationID) == access.Full {
		if refusal.Current, err = a.keyNow(ctx, row.ID); err != nil {
			return err
		}
	}
	return refusal
}

// keepIn stores, in the transaction that creates a key, which one the request has created.
func (m *madeKey) keepIn(ctx context.Context, tx *store.Tx, actor *access.Actor, keyID string, now fleet.Instant) error {
	again, _ := catalog.ErrorByCode("key_made")
	return tx.PutAnswer(ctx, store.Answer{Key: m.name, ActorID: actor.UserID, Digest: m.digest, Status: again.Status, Body: keyID, At: now})
}
