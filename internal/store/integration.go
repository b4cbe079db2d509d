package store

import (
	"context"
	"database/sql"

	"lightbar/internal/fleet"
	"lightbar/internal/store/engine"
)

var integrations = table[fleet.Integration]{name: "integration", columns: func(x *fleet.Integration) []column {
	return []column{
		{"id", &x.ID, keyed}, {"organization_id", &x.OrganizationID, edit}, {"provider", &x.Provider, once}, {"name", &x.Name, edit},
		{"server", &x.Server, edit}, {"account_database", &x.Database, edit}, {"account_user", &x.User, edit}, {"secret", &x.Secret, edit},
		{"webhook_secret", &x.WebhookSecret, edit}, {"webhook_before", &x.WebhookBefore, edit | aside},
		{"secret_before", &x.SecretBefore, edit | aside}, {"lights", asValue(&x.Lights), edit}, {"is_active", &x.IsActive, edit},
		{"feed_cursor", &x.FeedCursor, edit | driven | aside}, {"state", asValue(&x.State), edit | driven | aside},
		{"next_fetch_at", &x.NextFetchAt, edit | driven | aside},
		{"version", &x.Version, edit}, {"updated_at", &x.UpdatedAt, edit}, {"deleted_at", &x.DeletedAt, edit},
	}
}}

// Integrations are accounts of organizations at fleet-telematics providers.
var Integrations = recordsOf(integrations)

var integrationsOf = integrations.selects("WHERE organization_id = $1 AND deleted_at = 0 ORDER BY id")

// IntegrationsOf reads the accounts of an organization.
func IntegrationsOf(ctx context.Context, r Reader, organizationID string) ([]fleet.Integration, error) {
	return integrationsOf.all(ctx, r, organizationID)
}

var activeIntegrations = integrations.selects("WHERE is_active AND deleted_at = 0 ORDER BY id")

// ActiveIntegrations reads all accounts whose provider is asked.
func ActiveIntegrations(ctx context.Context, r Reader) ([]fleet.Integration, error) {
	return activeIntegrations.all(ctx, r)
}

var dueIntegrations = integrations.selects("WHERE is_active AND deleted_at = 0 AND next_fetch_at <= $1 ORDER BY next_fetch_at, id LIMIT $2")

// IntegrationsDue reads accounts whose provider is to be asked, the longest overdue first.
func IntegrationsDue(ctx context.Context, r Reader, now fleet.Instant, most int) ([]fleet.Integration, error) {
	return dueIntegrations.all(ctx, r, int64(now), most)
}

var saveIntegrationState = integrations.updates(driven, "version", "")

// SaveIntegrationState writes the result of polling the provider, and the position in its feed. Nobody has edited the account: its
// version stays. False when somebody has in the meantime.
func (tx *Tx) SaveIntegrationState(ctx context.Context, x *fleet.Integration) (bool, error) {
	return saveIntegrationState.run(ctx, tx, x, x.Version)
}

const sealedIntegrations = `SELECT id, secret FROM integration WHERE secret <> ''`

// SealedIntegrations lists the secrets of all accounts.
func SealedIntegrations(ctx context.Context, r Reader) ([]Sealed, error) {
	return engine.List(ctx, r, scanSealed, sealedIntegrations)
}

const putSealedIntegration = `UPDATE integration SET secret = $1, secret_before = '', webhook_before = '' WHERE id = $2`

// PutSealedIntegration seals an account's secret again. The previous ones are deleted: they were sealed with the previous key.
func (tx *Tx) PutSealedIntegration(ctx context.Context, s Sealed) error {
	_, err := tx.ExecContext(ctx, putSealedIntegration, s.Text, s.ID)
	return err
}

const sealedWebhooks = `SELECT id, webhook_secret FROM integration WHERE webhook_secret <> ''`

// SealedWebhooks lists the secrets of all accounts' webhooks.
func SealedWebhooks(ctx context.Context, r Reader) ([]Sealed, error) {
	return engine.List(ctx, r, scanSealed, sealedWebhooks)
}

const putSealedWebhook = `UPDATE integration SET webhook_secret = $1 WHERE id = $2`

// PutSealedWebhook seals what an account's webhooks are signed with again.
func (tx *Tx) PutSealedWebhook(ctx context.Context, s Sealed) error {
	_, err := tx.ExecContext(ctx, putSealedWebhook, s.Text, s.ID)
	return err
}

const hastenIntegration = `UPDATE integration SET next_fetch_at = $1 WHERE id = $2 AND is_active AND deleted_at = 0 AND next_fetch_at > $1`

// HastenIntegration lets an account be asked at an instant, if it would be later. A poll that is on its way is not disturbed.
func (tx *Tx) HastenIntegration(ctx context.Context, id string, at fleet.Instant) error {
	_, err := tx.ExecContext(ctx, hastenIntegration, int64(at), id)
	return err
}

const forgetSecrets = `UPDATE integration SET secret = '', secret_before = '', webhook_secret = '', webhook_before = ''
WHERE deleted_at > 0 AND deleted_at < $1 AND secret <> ''`

// ForgetSecrets empties the secrets of accounts that were deleted before an instant.
func (tx *Tx) ForgetSecrets(ctx context.Context, before fleet.Instant) error {
	_, err := tx.ExecContext(ctx, forgetSecrets, int64(before))
	return err
}

const deletedWithSecret = `SELECT EXISTS (SELECT 1 FROM integration WHERE deleted_at > 0 AND deleted_at < $1 AND secret <> '')`

// AnySecretLeft reports whether ForgetSecrets has something to do.
func AnySecretLeft(ctx context.Context, r Reader, before fleet.Instant) (any bool, err error) {
	err = r.QueryRowContext(ctx, deletedWithSecret, int64(before)).Scan(&any)
	return any, err
}

const endIntegrationsOf = `UPDATE integration SET deleted_at = $1, updated_at = $1, version = version + 1, secret = '', secret_before = '',
webhook_secret = '', webhook_before = ''
WHERE organization_id = $2 AND deleted_at = 0`

// EndIntegrationsOf deletes the accounts of an organization, and their secrets with them.
func (tx *Tx) EndIntegrationsOf(ctx context.Context, organizationID string, now fleet.Instant) error {
	_, err := tx.ExecContext(ctx, endIntegrationsOf, int64(now), organizationID)
	return err
}

const healthStates = `SELECT is_active, state FROM integration WHERE deleted_at = 0`

// IntegrationHealth counts all accounts by their health.
func IntegrationHealth(ctx context.Context, r Reader) (map[string]int, error) {
	out := map[string]int{}
	_, err := engine.List(ctx, r, func(rows *sql.Rows) (struct{}, error) {
		var x fleet.Integration
		var state string
		err := rows.Scan(&x.IsActive, &state)
		if err == nil && asValue(&x.State).read(state) == nil { // the account itself is named where it is read
			out[x.Health()]++
		}
		return struct{}{}, err
	}, healthStates)
	return out, err
}
