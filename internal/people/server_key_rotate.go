package people

import (
	"context"
	"errors"

	"lightbar/internal/access"
	"lightbar/internal/audit"
	"lightbar/internal/secret"
	"lightbar/internal/store"
)

// Rotation is what a rotation of the server key did.
type Rotation struct {
	Earlier, Present string      // the keys' fingerprints
	Audit            audit.Proof // the state of the chain before
	Sessions         int64       // ended
	Secrets, Mails   int         // of authenticator apps, and waiting mails: sealed again
	Feeds            int         // addresses of subscriptions: sealed again
	Integrations     int         // secrets of accounts at providers: sealed again
	Closed           int         // texts that the earlier key could not open either; left as they are
}

// FeedAddressPurpose is what the addresses of subscriptions to feeds are sealed for.
const FeedAddressPurpose = "feed address"

// IntegrationPurpose is what the secrets of integrations are sealed for.
const IntegrationPurpose = "integration secret"

// WebhookPurpose is what the secrets of integrations' webhooks are sealed for.
const WebhookPurpose = "integration webhook"

// RotateServerKey makes the database belong to next in place of this
// installation's key, in one transaction: sealed data is sealed again with
// next, everything derived from the old key ends, and the audit continues under
// next, bound to all earlier seals. No server may run. A broken chain is
// reported, in the result and in the audit, but does not stop the rotation. The
// caller changes the files; afterwards see KeepRotatedHead. Requires
// MANAGE_PLATFORM.
func (a *Accounts) RotateServerKey(ctx context.Context, actor *access.Actor, next []byte) (done Rotation, err error) {
	if done.Audit, err = a.Audit.Verify(ctx, actor, ""); err != nil {
		return done, err
	}
	var fault *audit.Fault
	if err := a.Audit.Seal(ctx); err != nil && !errors.As(err, &fault) {
		return done, err
	}
	done.Earlier, done.Present = a.ServerKey.Fingerprint(), secret.Key(next).Fingerprint()
	err = a.Store.Write(ctx, func(tx *store.Tx) (err error) {
		if done.Sessions, err = a.endDerived(ctx, tx); err != nil {
			return err
		}
		if err := a.sealAnew(ctx, tx, next, &done); err != nil {
			return err
		}
		if err := a.Audit.Write(ctx, tx, actor, rotationRow(done)); err != nil {
			return err
		}
		eras, err := a.Audit.ErasWith(ctx, tx)
		if err != nil {
			return err
		}
		if err := a.Audit.Under(next).BindPast(ctx, tx, eras); err != nil {
			return err
		}
		return tx.PutSetting(ctx, serverKeyName, done.Present)
	})
	return done, err
}

// rotationRow is the audit row of the rotation; it also says if the chain was
// broken before.
func rotationRow(done Rotation) audit.Row {
	after := map[string]any{"fingerprint": done.Present, "sessions_ended": done.Sessions, "authenticators": done.Secrets,
		"mails": done.Mails, "feeds": done.Feeds, "integrations": done.Integrations, "closed": done.Closed}
	noteFaults(after, done.Audit)
	return audit.Row{Verb: "rotate", Noun: "server_key", Before: map[string]string{"fingerprint": done.Earlier}, After: after}
}

// endDerived ends everything that someone with the earlier key could compute
// or guess.
func (a *Accounts) endDerived(ctx context.Context, tx *store.Tx) (sessions int64, err error) {
	if sessions, err = tx.EndSessions(ctx, a.now(), "server key replaced"); err != nil {
		return 0, err
	}
	for _, purpose := range []string{"mfa", "totp"} { // pending sign-ins and set-ups contain sealed secrets
		if err := tx.ForgetOneTimes(ctx, purpose); err != nil {
			return 0, err
		}
	}
	return sessions, tx.ForgetDigests(ctx) // repeats within a day still get the first answer
}

// sealAnew seals again with next what this installation's key can open.
func (a *Accounts) sealAnew(ctx context.Context, tx *store.Tx, next secret.Key, done *Rotation) error {
	for _, kind := range []struct {
		purpose string
		list    func(context.Context, store.Reader) ([]store.Sealed, error)
		put     func(context.Context, store.Sealed) error
		count   *int
	}{
		{totpPurpose, store.SealedSecrets, tx.PutSealedSecret, &done.Secrets},
		{mailPurpose, store.SealedMails, tx.PutSealedMail, &done.Mails},
		{FeedAddressPurpose, store.SealedAddresses, tx.PutSealedAddress, &done.Feeds},
		{IntegrationPurpose, store.SealedIntegrations, tx.PutSealedIntegration, &done.Integrations},
		{WebhookPurpose, store.SealedWebhooks, tx.PutSealedWebhook, &done.Integrations},
	} {
		rows, err := kind.list(ctx, tx)
		if err != nil {
			return err
		}
		for _, row := range rows {
			text, err := a.ServerKey.Open(kind.purpose, row.ID, row.Text)
			if errors.Is(err, secret.ErrSealed) {
				done.Closed++
				continue
			}
			if err == nil {
				row.Text, err = next.Seal(kind.purpose, row.ID, text)
			}
			if err == nil {
				err = kind.put(ctx, row)
			}
			if err != nil {
				return err
			}
			*kind.count++
		}
	}
	return nil
}
