package app

import (
	"context"
	"errors"
	"sync"

	"lightbar/internal/fleet"
	"lightbar/internal/provider"
)

// telematics are the accounts whose providers are being asked; the zero value works.
// An account's client is kept: what it knows of its session saves sign-ins, of which
// a provider allows few.
type telematics struct {
	mu       sync.Mutex
	accounts map[string]*telematicsAccount
	polling  map[string]int                 // how many of an organization are polled now
	heard    map[string]fleet.WebhookCounts // of accounts, which their rows do not have yet
	counted  integrationCounters
}

// telematicsAccount is one account; whoever takes its turn out may ask.
type telematicsAccount struct {
	turn   chan struct{}
	of     fleet.Integration // as the client was made
	client provider.Client
	rests  fleet.Instant // our own store refused what it said: it rests until then
}

func (k *telematics) account(id string) *telematicsAccount {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.accounts == nil {
		k.accounts, k.polling = map[string]*telematicsAccount{}, map[string]int{}
	}
	one := k.accounts[id]
	if one == nil {
		one = &telematicsAccount{turn: make(chan struct{}, 1)}
		one.turn <- struct{}{}
		k.accounts[id] = one
	}
	return one
}

// forget drops what is kept of an account that is gone: its client knows the secret.
func (k *telematics) forget(id string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	delete(k.accounts, id)
	delete(k.heard, id)
}

// pollsAtOnce is how many accounts of one organization are polled at a time: others do not wait for its slow ones.
const pollsAtOnce = 2

// begin takes the turn of an account for a poll; nil = somebody has it, or enough of its organization are polled.
func (k *telematics) begin(x *fleet.Integration) *telematicsAccount {
	one := k.account(x.ID)
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.polling[x.OrganizationID] >= pollsAtOnce || !one.take() {
		return nil
	}
	k.polling[x.OrganizationID]++
	return one
}

func (k *telematics) end(x *fleet.Integration, one *telematicsAccount) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.polling[x.OrganizationID]--; k.polling[x.OrganizationID] == 0 {
		delete(k.polling, x.OrganizationID)
	}
	one.give()
}

// take takes the turn of an account, if nobody has it.
func (one *telematicsAccount) take() bool {
	select {
	case <-one.turn:
		return true
	default:
		return false
	}
}

func (one *telematicsAccount) give() { one.turn <- struct{}{} }

// clientOf is the client of an account as it is now. The caller has its turn.
func (a *App) clientOf(one *telematicsAccount, x *fleet.Integration) (provider.Client, error) {
	is := fleet.Integration{Provider: x.Provider, Server: x.Server, Database: x.Database, User: x.User, Secret: x.Secret, Lights: x.Lights}
	if one.client != nil && one.of.Same(&is) {
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

// problemOf puts a failure to ask a provider into its words. A caller that gave up is no failure of the provider.
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
