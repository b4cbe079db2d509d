package app

import (
	"context"
	"errors"
	"sync"

	"lightbar/internal/fleet"
	"lightbar/internal/outbound"
	"lightbar/internal/provider"
	"lightbar/internal/store"
)

// telematics are the accounts whose providers are being polled; the zero value works. An account's client is reused: what it knows
// of its session saves sign-ins, of which a provider allows few.
type telematics struct {
	mu       sync.Mutex
	accounts map[string]*telematicsAccount
	places   outbound.Places                // of those that are polled now
	heard    map[string]fleet.WebhookCounts // of accounts, not in their rows yet
	counted  integrationCounters
}

// telematicsAccount is one account; whoever holds its turn may poll it.
type telematicsAccount struct {
	turn   chan struct{}
	of     fleet.Integration // as the client was made
	client provider.Client
	rests  fleet.Instant // our own store refused its reports: it pauses until then
}

func (k *telematics) account(id string) *telematicsAccount {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.accounts == nil {
		k.accounts = map[string]*telematicsAccount{}
	}
	one := k.accounts[id]
	if one == nil {
		one = &telematicsAccount{turn: make(chan struct{}, 1)}
		one.turn <- struct{}{}
		k.accounts[id] = one
	}
	return one
}

// forget drops what is held for a deleted account: its client knows the secret.
func (k *telematics) forget(id string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	delete(k.accounts, id)
	delete(k.heard, id)
}

// AsksAtOnce is how many callers FetchFeeds and PollIntegrations should have each: one is always free to look for work, however
// many wait for slow servers.
const AsksAtOnce = outbound.Workers

// begin chooses one of the accounts that are due, and takes its turn; asking ends when the poll is put off. No place = none may be
// polled now; no account = another caller has its turn.
func (k *telematics) begin(ctx context.Context, due []fleet.Integration, now fleet.Instant) (
	asking context.Context, place *outbound.Place, one *telematicsAccount) {
	visits := make([]outbound.Visit, len(due))
	for i := range due {
		visits[i] = outbound.Visit{Key: due[i].ID, Tenant: due[i].OrganizationID} // many organizations have accounts at the same server
	}
	asking, place = k.places.Take(ctx, visits, now.Time())
	if place == nil {
		return nil, nil, nil
	}
	if one = k.account(place.Key); one.take() {
		return asking, place, one
	}
	return asking, place, nil
}

// take takes the turn of an account, if it is free.
func (one *telematicsAccount) take() bool {
	select {
	case <-one.turn:
		return true
	default:
		return false
	}
}

func (one *telematicsAccount) give() { one.turn <- struct{}{} }

// clientOf returns the client of an account as it is now. The caller has its turn.
func (a *App) clientOf(one *telematicsAccount, x *fleet.Integration) (provider.Client, error) {
	is := fleet.Integration{Provider: x.Provider, Server: x.Server, Database: x.Database, User: x.User, Secret: x.Secret, Lights: x.Lights}
	if one.client != nil && store.Integrations.Same(&one.of, &is) {
		return one.client, nil
	}
	secret, err := a.secretOf(x)
	if err != nil {
		return nil, &provider.Error{Reason: provider.Unauthorized, Message: "The stored secret can't be read anymore. Enter it again."}
	}
	client, err := a.NewProvider(x.Provider, provider.Account{Server: x.Server, Database: x.Database, User: x.User, Secret: secret,
		Lights: x.Lights})
	if err != nil {
		return nil, err
	}
	one.client, one.of = client, is
	return client, nil
}

// problemOf turns a failed call into an error of the provider. A caller that gave up is no failure of the provider.
func problemOf(err error) *provider.Error {
	var known *provider.Error
	if errors.As(err, &known) {
		return known
	}
	message := "The provider can't be reached."
	if errors.Is(err, context.DeadlineExceeded) {
		message = "The provider didn't answer in time."
	}
	return &provider.Error{Reason: provider.Unavailable, Message: message}
}
