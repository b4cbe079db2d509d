package app

import (
	"context"
	"encoding/json"
	"errors"
	"strconv"

	"lightbar/catalog"
	"lightbar/internal/access"
	"lightbar/internal/audit"
	"lightbar/internal/fleet"
	"lightbar/internal/live"
	"lightbar/internal/people"
	"lightbar/internal/record"
	"lightbar/internal/store"
	"lightbar/internal/wire"
)

var mostIntegrations = int(catalog.LimitInt("integrations", "accounts"))

// integrations are accounts of organizations at fleet-telematics providers.
var integrations = record.NewResource(resource[fleet.Integration, wire.Integration, wire.IntegrationWrite]{
	Name: "integration", Missing: "Integration not found", Views: "VIEW_INTEGRATIONS",
	Adds: "ADD_INTEGRATION", Edits: "EDIT_INTEGRATION", Deletes: "DELETE_INTEGRATION",
	Rows: store.Integrations, Row: (*App).integrationWire, Part: (*App).integrationPart, Gone: wire.GoneIntegration,
	Of: func(x *fleet.Integration) record.Fields {
		return record.Fields{ID: &x.ID, Owner: &x.OrganizationID, Version: &x.Version, UpdatedAt: &x.UpdatedAt, DeletedAt: &x.DeletedAt}
	},
	Make: newIntegration, Law: editIntegration, Back: record.BackTo((*App).putBackIntegration),
	CheckEmpty: func(wrong map[string]string) { new(fleet.Integration).Check(wrong) },
	// The provider of a deleted account is not polled anymore, and the secret is deleted after a day. Its reports stay.
	AfterCommit: func(_ context.Context, a *App, x *fleet.Integration) error {
		if x.DeletedAt != 0 {
			a.telematics.forget(x.ID)
		}
		return nil
	},
	Clash: func(ctx context.Context, tx *store.Tx, x *fleet.Integration) error {
		others, err := store.IntegrationsOf(ctx, tx, x.OrganizationID)
		if err != nil {
			return err
		}
		n := 0
		for i := range others {
			if others[i].ID == x.ID {
				continue
			}
			if n++; others[i].SameFeed(x) && x.Provider == fleet.ProviderGeotab {
				return fleet.RefuseFields(map[string]string{"database": "There is another integration with this database"})
			}
		}
		if n >= mostIntegrations {
			return fleet.RefuseFields(map[string]string{
				"provider": "An organization can have at most " + strconv.Itoa(mostIntegrations) + " integrations"})
		}
		return nil
	},
})

// newIntegration is the law of a new account, whose provider is polled soon; until vehicles are linked with assets, none of its
// reports are stored.
func newIntegration(e *record.Editing[*App, fleet.Integration], in wire.IntegrationWrite) error {
	x := &e.Next
	x.ID, x.IsActive, x.NextFetchAt = e.ID, true, e.At
	in.OrganizationID.ApplyTo(&x.OrganizationID)
	if in.Provider != nil {
		x.Provider = *in.Provider
	}
	before, err := store.Integrations.ByID(e, e.Tx, e.ID)
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return err
	}
	x.WebhookSecret = before.WebhookSecret
	return e.By.applyIntegration(x, in, before.Secret)
}

// editIntegration is the law of edits. With another server the secret must be entered again.
func editIntegration(e *record.Editing[*App, fleet.Integration], in wire.IntegrationWrite) error {
	x, old := &e.Next, e.Old
	wrong := map[string]string{}
	if in.OrganizationID.IsSent() && in.OrganizationID.String() != x.OrganizationID {
		wrong["organization_id"] = "An integration can't be moved to another organization"
	}
	if in.Provider != nil && *in.Provider != x.Provider {
		wrong["provider"] = "The provider can't be changed. Add another integration"
	}
	if len(wrong) > 0 {
		return fleet.RefuseFields(wrong)
	}
	if err := e.By.applyIntegration(x, in, x.Secret); err != nil {
		return err
	}
	x.SecretBefore, x.WebhookBefore = old.Secret, old.WebhookSecret
	e.By.askAnew(x, &old)
	return nil
}

// askAnew lets a provider be polled soon when an edit changes how it is polled.
func (a *App) askAnew(x, old *fleet.Integration) {
	resumed := x.IsActive && (!old.IsActive || old.DeletedAt != 0)
	if isAnother := !x.SameFeed(old) || resumed; isAnother || x.User != old.User || x.Secret != old.Secret {
		x.Begin(a.now(), isAnother)
	}
}

// putBackIntegration restores an account to what an audit row contains. The audit does not have its secret: a deleted account still
// has its own, and an edited one gets the previous one.
func (a *App) putBackIntegration(x *fleet.Integration, was wire.Integration, said wire.IntegrationWrite) error {
	old := *x
	if old.DeletedAt == 0 && old.SecretBefore != "" {
		x.Secret, x.SecretBefore = old.SecretBefore, old.Secret
	}
	if x.WebhookSecret, x.WebhookBefore = webhookBack(&old, was.HasWebhook), old.WebhookSecret; was.HasWebhook && x.WebhookSecret == "" {
		return fleet.RefuseFields(map[string]string{"webhook_secret": "The previous webhook secret is no longer known. Enter it again"})
	}
	x.Server = was.Server
	if _, err := a.secretOf(x); err != nil {
		return fleet.RefuseFields(map[string]string{"secret": "The previous secret is no longer known. Enter it again"})
	}
	err := a.applyIntegration(x, said, x.Secret)
	if err == nil {
		a.askAnew(x, &old)
	}
	return err
}

// FetchIntegration lets a provider be polled soon, 10 s after the last time at the earliest and not before the time that it
// requested. Requires EDIT_INTEGRATION and full reach. Refusals: not_found, validation_failed when it is paused.
func (a *App) FetchIntegration(ctx context.Context, actor *access.Actor, id string) (wire.Integration, error) {
	if err := actor.Must("EDIT_INTEGRATION"); err != nil {
		return wire.Integration{}, err
	}
	var next fleet.Integration
	err := a.Change(ctx, func(_ *live.Change, tx *store.Tx) (err error) {
		if next, err = integrations.Load(ctx, tx, actor, id); err != nil {
			return err
		}
		if !next.IsActive {
			return fleet.RefuseFields(map[string]string{"is_active": "The integration is paused"})
		}
		next.Press(a.now())
		if _, err := tx.SaveIntegrationState(ctx, &next); err != nil {
			return err
		}
		return a.Audit.Write(ctx, tx, actor, audit.Row{Verb: "fetch", Noun: integrations.Name, NounID: id, OrganizationID: next.OrganizationID})
	})
	if err != nil {
		return wire.Integration{}, err
	}
	return a.integrationWire(&next), nil
}

// applyIntegration is the law of integrations: the fields that were sent are written over the account, and then the whole must be
// valid. sealed is its current secret.
func (a *App) applyIntegration(x *fleet.Integration, in wire.IntegrationWrite, sealed string) error {
	wrong := map[string]string{}
	wire.Texts(wrong, x, &in)
	for at, said := range map[*string]*string{&x.Database: in.Database, &x.User: in.User} {
		if said != nil {
			*at = *said
		}
	}
	if in.IsActive != nil {
		x.IsActive = *in.IsActive
	}
	if in.Lights != nil {
		x.Lights = *in.Lights
	}
	server := x.Server
	if in.Server != nil {
		host, sentence := fleet.CheckServer(*in.Server)
		if sentence != "" {
			wrong["server"] = sentence
		}
		x.Server = host
	}
	if x.Secret = sealed; in.Secret != nil && *in.Secret != "" {
		if err := a.sealSecret(wrong, x, *in.Secret, sealed); err != nil {
			return err
		}
	} else if x.Server != server && sealed != "" {
		// A person who can edit an account must not be able to have its secret sent to a server of their own.
		wrong["secret"] = "Enter the secret again for a different server"
	}
	if in.WebhookSecret != nil {
		if err := a.sealWebhook(wrong, x, *in.WebhookSecret); err != nil {
			return err
		}
	}
	if x.Check(wrong); len(wrong) > 0 {
		return fleet.RefuseFields(wrong)
	}
	return nil
}

// sealedSecret is a secret and the server that it may be sent to.
type sealedSecret struct {
	Server string `json:"server"`
	Secret string `json:"secret"`
}

// sealSecret gives an account its secret. If the secret is the same, the sealed text stays as it was: then nothing has changed.
func (a *App) sealSecret(wrong map[string]string, x *fleet.Integration, said, sealed string) error {
	text, sentence := fleet.CheckSecret(said)
	if sentence != "" {
		wrong["secret"] = sentence
		x.Secret = sealed
		return nil
	}
	if before, err := a.secretOf(x); err == nil && before == text {
		return nil
	}
	whole, err := json.Marshal(sealedSecret{x.Server, text})
	if err == nil {
		x.Secret, err = a.ServerKey.Seal(people.IntegrationPurpose, x.ID, whole)
	}
	return err
}

// errSecretElsewhere means that a secret was sealed for another server than the one that it would be sent to.
var errSecretElsewhere = errors.New("app: the secret of an integration is for another server")

// secretOf returns the secret of an account, for its server alone.
func (a *App) secretOf(x *fleet.Integration) (string, error) {
	text, err := a.ServerKey.Open(people.IntegrationPurpose, x.ID, x.Secret)
	if err != nil {
		return "", err
	}
	var is sealedSecret
	if err := json.Unmarshal(text, &is); err != nil {
		return "", err
	}
	if is.Server != x.Server {
		return "", errSecretElsewhere
	}
	return is.Secret, nil
}

// integrationWire is an account as lists show it now; for the audit (a is nil) without its provider's answers.
func (a *App) integrationWire(x *fleet.Integration) (out wire.Integration) {
	wire.Same(&out, x)
	out.HasWebhook = x.WebhookSecret != ""
	out.HasSecret, out.Status, out.Refused = x.Secret != "", fleet.IntegrationOff, map[string]int64{}
	if out.Lights == nil {
		out.Lights = []string{}
	}
	if a == nil {
		out.NextFetchAt = 0
		return out
	}
	wire.Same(&out, &x.State)
	events := x.State.Webhook
	events.Add(a.telematics.heardOf(x.ID, false))
	out.LastEventAt, out.Events, out.UnknownEvents = events.LastAt, events.Events, events.Unknown
	if out.Status = x.Health(); out.Refused == nil {
		out.Refused = map[string]int64{}
	}
	if out.Problem, out.Error = nil, nil; x.State.Problem != "" {
		out.Problem, out.Error = &x.State.Problem, &x.State.Message
	}
	if !x.IsActive {
		out.NextFetchAt = 0
	}
	return out
}

// integrationPart is an account for users who can only read its organization: its existence and its health.
func (a *App) integrationPart(x *fleet.Integration) wire.Integration {
	out := a.integrationWire(x)
	out.Server, out.Database, out.User, out.Error = "", "", "", nil
	return out
}
