package app

import (
	"context"
	"errors"

	"lightbar/internal/fleet"
	"lightbar/internal/people"
	"lightbar/internal/store"
)

// Webhook is an account that takes webhooks of its provider. Who has the address may be anybody: see TakeWebhook.
type Webhook struct {
	x      fleet.Integration
	secret string
}

// ID is the account's.
func (w *Webhook) ID() string { return w.x.ID }

// Webhook finds the account of a webhook's address, before anything of the body is
// read. Refusals: webhook_refused (there is none, or it has no webhook), webhook_stale.
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
	if err != nil { // the server key is another one: an administrator has to enter it again
		return nil, a.webhookRefused(fleet.RefuseWebhook())
	}
	return &Webhook{x, string(secret)}, nil
}

// VerifyWebhook refuses what the provider has not signed.
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

// TakeWebhook notes an event that the provider has signed. One that tells of
// vehicles lets the account be asked soon, as somebody's press: what the event says
// is not taken for a report, for none says where a vehicle is. Whether it is asked sooner is answered.
func (a *App) TakeWebhook(ctx context.Context, w *Webhook, isOfVehicles bool) (isHastened bool, err error) {
	a.telematics.hear(w.x.ID, isOfVehicles, a.now())
	if !isOfVehicles || !w.x.Hasten(a.now()) {
		return false, nil
	}
	return true, a.Store.Write(ctx, func(tx *store.Tx) error { return tx.HastenIntegration(ctx, w.x.ID, w.x.NextFetchAt) })
}

// hear counts an event of an account; the account's row has it with the next page of its feed.
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

// heardOf are the events of an account that its row does not have yet; taken, the row is about to have them.
func (k *telematics) heardOf(id string, isTaken bool) fleet.WebhookCounts {
	k.mu.Lock()
	defer k.mu.Unlock()
	of := k.heard[id]
	if isTaken {
		delete(k.heard, id)
	}
	return of
}

// sealWebhook gives an account what its webhooks are signed with; empty = it has no webhook anymore.
// The same one stays sealed as it was: then nothing has changed.
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

// webhookBack is what an account's webhooks were signed with as a row of the audit
// has it: whether there was a secret. A deleted account kept it.
func webhookBack(old *fleet.Integration, had bool) string {
	switch {
	case !had:
		return ""
	case old.DeletedAt == 0 && old.WebhookBefore != "":
		return old.WebhookBefore
	}
	return old.WebhookSecret
}
