package app

import (
	"context"
	"errors"

	"lightbar/internal/fleet"
	"lightbar/internal/people"
	"lightbar/internal/store"
)

// Webhook is an account that accepts webhooks from its provider. Anyone may have the address: see TakeWebhook.
type Webhook struct {
	x      fleet.Integration
	secret string
}

// ID is the account's.
func (w *Webhook) ID() string { return w.x.ID }

// Webhook finds the account of a webhook's address, before any of the body is read. Refusals: webhook_refused (there is none, or it
// has no webhook), webhook_stale.
func (a *App) Webhook(ctx context.Context, provider, id string, signed fleet.SignedWebhook) (*Webhook, error) {
	if refusal := signed.Fresh(a.now()); refusal != nil {
		return nil, a.webhookRefused(refusal)
	}
	x, err := integrations.Rows.ByID(ctx, a.Store.Reader(), id)
	if errors.Is(err, store.ErrNotFound) || err == nil && (x.DeletedAt != 0 || x.Provider != provider || x.WebhookSecret == "") {
		return nil, a.webhookRefused(fleet.RefuseWebhook())
	}
	if err != nil {
		return nil, err
	}
	secret, err := a.ServerKey.Open(people.WebhookPurpose, x.ID, x.WebhookSecret)
	if err != nil { // the server key was replaced: an administrator must enter the secret again
		return nil, a.webhookRefused(fleet.RefuseWebhook())
	}
	return &Webhook{x, string(secret)}, nil
}

// VerifyWebhook refuses a request that the provider has not signed.
func (a *App) VerifyWebhook(w *Webhook, signed fleet.SignedWebhook) error {
	if refusal := signed.Verify(w.secret); refusal != nil {
		return a.webhookRefused(refusal)
	}
	return nil
}

func (a *App) webhookRefused(refusal *fleet.Refusal) error {
	a.telematics.counted.events.refused.Add(1)
	return refusal
}

// TakeWebhook notes an event that the provider has signed. An event about vehicles lets the account be polled soon, like a person's
// request: the event itself is not used as a report, since none has a vehicle's position. It returns whether the account is polled
// sooner.
func (a *App) TakeWebhook(ctx context.Context, w *Webhook, isOfVehicles bool) (isHastened bool, err error) {
	a.telematics.hear(w.x.ID, isOfVehicles, a.now())
	if !isOfVehicles || !w.x.Hasten(a.now()) {
		return false, nil
	}
	return true, a.Store.Write(ctx, func(tx *store.Tx) error { return tx.HastenIntegration(ctx, w.x.ID, w.x.NextFetchAt) })
}

// hear counts an event of an account; the account's row gets it with the next page of its feed.
func (k *telematics) hear(id string, isOfVehicles bool, now fleet.Instant) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.heard == nil {
		k.heard = map[string]fleet.WebhookCounts{}
	}
	of := k.heard[id]
	if of.LastAt = now; isOfVehicles {
		of.Events++
		k.counted.events.known.Add(1)
	} else {
		of.Unknown++
		k.counted.events.unknown.Add(1)
	}
	k.heard[id] = of
}

// heardOf returns the events of an account that are not in its row yet; with isTaken they are about to be written to it.
func (k *telematics) heardOf(id string, isTaken bool) fleet.WebhookCounts {
	k.mu.Lock()
	defer k.mu.Unlock()
	of := k.heard[id]
	if isTaken {
		delete(k.heard, id)
	}
	return of
}

// sealWebhook gives an account the secret of its webhooks; empty = it has no webhook anymore. If the secret is the same, the sealed
// text stays as it was: then nothing has changed.
func (a *App) sealWebhook(wrong map[string]string, x *fleet.Integration, said string) error {
	text, sentence := fleet.CheckWebhookSecret(said)
	if sentence != "" {
		wrong["webhook_secret"] = sentence
		return nil
	}
	if text == "" {
		x.WebhookSecret = ""
		return nil
	}
	if before, err := a.ServerKey.Open(people.WebhookPurpose, x.ID, x.WebhookSecret); err == nil && string(before) == text {
		return nil
	}
	sealed, err := a.ServerKey.Seal(people.WebhookPurpose, x.ID, []byte(text))
	if err == nil {
		x.WebhookSecret = sealed
	}
	return err
}

// webhookBack is the secret of an account's webhooks to restore from an audit row, which has only whether there was one. A deleted
// account still has it.
func webhookBack(old *fleet.Integration, had bool) string {
	switch {
	case !had:
		return ""
	case old.DeletedAt == 0 && old.WebhookBefore != "":
		return old.WebhookBefore
	}
	return old.WebhookSecret
}
