package people

import (
	"context"
	"crypto/rand"
	"errors"
	"slices"
	"strings"

	"lightbar/catalog"
	"lightbar/internal/access"
	"lightbar/internal/fleet"
	"lightbar/internal/secret"
	"lightbar/internal/sso"
	"lightbar/internal/store"
	"lightbar/internal/wire"
)

// authTimeSkew is how far a provider's clock may be from ours.
var authTimeSkew = catalog.LimitMs("session", "authTimeSkewMs")

const (
	purposeProof = "step_up_sso"
	// proofState begins the states of step-ups, so that the one callback that a
	// provider knows can tell them from sign-ins.
	proofState = "prove-"
)

// proofVisit is the state that the browser which began a step-up carries to the
// provider and back. It binds the answer to this browser and one session, so
// that luring somebody else to a link at the provider proves nothing.
type proofVisit struct {
	visit
	SessionID string
	BegunAt   fleet.Instant
	Extend    bool
	Device    string // the known device's token; its own cookie stays home on the way back
}

// ProofState reports whether a provider's answer belongs to a step-up.
func ProofState(state string) bool { return strings.HasPrefix(state, proofState) }

// stepUpProvider is the configured provider that knows a user; nil when there is none.
func (a *Accounts) stepUpProvider(ctx context.Context, r store.Reader, userID string) (*sso.Client, error) {
	if len(a.Providers) == 0 {
		return nil, nil
	}
	issuers, err := store.IssuersOfUser(ctx, r, userID)
	for _, p := range a.Providers {
		if slices.Contains(issuers, p.Issuer) {
			return p, err
		}
	}
	return nil, err
}

// BeginStepUpSSO begins a step-up by the provider that knows the user: it returns the address to open, and the cookie that ties the
// answer to this browser and session. Refusals: step_up_failed (no provider knows them), rate_limited, provider_unreachable.
func (a *Accounts) BeginStepUpSSO(ctx context.Context, actor *access.Actor, extend bool,
	c Caller) (out wire.ProviderVisit, cookie string, err error) {
	if err := mustBePerson(actor); err != nil {
		return out, "", err
	}
	u, _, err := a.ownUser(ctx, a.Store.Reader(), actor)
	if err != nil {
		return out, "", err
	}
	p, err := a.stepUpProvider(ctx, a.Store.Reader(), u.ID)
	if err != nil {
		return out, "", err
	}
	if p == nil {
		return out, "", refuseStepUp("You don't sign in with a provider here.")
	}
	from, err := a.factorFrom(ctx, u, c)
	if err != nil {
		return out, "", err
	}
	if err := a.mayAttempt(ctx, from); err != nil {
		return out, "", slowStepUp(err)
	}
	now := a.now()
	v := proofVisit{SessionID: actor.SessionID, BegunAt: now, Extend: extend, Device: c.Device,
		visit: visit{Provider: p.ID, State: proofState + rand.Text(), Nonce: rand.Text(), Verifier: rand.Text() + rand.Text(),
			Until: now.Add(ssoLife)}}
	out.BegunAt = now
	if out.URL, err = p.StartProof(ctx, v.State, v.Nonce, v.Verifier); err != nil {
		a.Log.Warn("step-up by a provider cannot begin", "provider", p.ID, "error", err)
		return out, "", refuseUnreachable()
	}
	if cookie, err = a.sealVisit(stepUpVisit, v); err != nil {
		return out, "", err
	}
	return out, cookie, a.Store.Write(ctx, func(tx *store.Tx) error {
		if err := tx.PurgeOneTimes(ctx, purposeProof, now); err != nil {
			return err
		}
		return tx.InsertOneTime(ctx, store.OneTime{Hash: secret.Hash(v.State), Purpose: purposeProof, UserID: u.ID, CreatedAt: now,
			ExpiresAt: v.Until})
	})
}

func refuseUnreachable() *fleet.Refusal {
	return fleet.Refuse("provider_unreachable", "", "The sign-in provider isn't responding. Please try again.")
}

// FinishStepUpSSO checks a browser's answer from a step-up and marks the session that began it, as StepUp does. The provider must
// have asked after the step-up began, for the person of the session, who must still be in a mapped group. No session begins and
// nobody is moved. Wrong answers from the provider count like wrong passwords. Refusals: sso_failed, session_expired, rate_limited,
// sso_other_person, sso_not_fresh, sso_not_mapped, sso_groups_missing, sso_misconfigured, provider_unreachable.
func (a *Accounts) FinishStepUpSSO(ctx context.Context, in SSOAnswer) error {
	p := a.providerByID(in.Provider)
	var v proofVisit
	if p == nil || !a.openVisit(stepUpVisit, in.Cookie, &v) || !a.answers(v.visit, in) {
		return refuseSSO()
	}
	used := false
	err := a.Store.Write(ctx, func(tx *store.Tx) (err error) { // first, so that each visit is answered once, whatever the outcome
		used, err = tx.UseOneTime(ctx, secret.Hash(v.State), purposeProof, a.now())
		return err
	})
	if err != nil {
		return err
	}
	if !used {
		return refuseSSO()
	}
	if in.Error != "" || in.Code == "" {
		a.Log.Info("step-up refused by the provider", "provider", in.Provider, "code", cutText(in.Error, 60))
		return refuseSSO()
	}
	in.Caller.Device = v.Device
	return a.finishProof(ctx, p, v, in)
}

// notOfTheUser are the refusals of a step-up that do not count as wrong answers of its user.
var notOfTheUser = []string{"provider_unreachable", "sso_groups_missing", "sso_misconfigured"}

func (a *Accounts) finishProof(ctx context.Context, p *sso.Client, v proofVisit, in SSOAnswer) error {
	s, err := store.SessionByID(ctx, a.Store.Reader(), v.SessionID)
	if errors.Is(err, store.ErrNotFound) {
		return refuseSession()
	}
	if err != nil {
		return err
	}
	u, _, err := a.userOfSession(ctx, a.Store.Reader(), s)
	if err != nil {
		return err
	}
	if u.ID == "" || outcomeOfRefresh(s, s.Generation, 0, a.now()) == refreshEnded {
		return refuseSession()
	}
	from, err := a.factorFrom(ctx, u, in.Caller)
	if err != nil {
		return err
	}
	if err := a.mayAttempt(ctx, from); err != nil {
		return slowStepUp(err)
	}
	if err := a.provedByProvider(ctx, p, u, v, in.Code); err != nil {
		var refusal *fleet.Refusal
		if !errors.As(err, &refusal) || slices.Contains(notOfTheUser, refusal.Code) {
			return err
		}
		if failed := a.wrongFactor(ctx, u, from, "step_up_refused", "sso", in.Caller); failed != nil {
			return failed
		}
		return err
	}
	actor := &access.Actor{UserID: u.ID, OrganizationID: u.OrganizationID, SessionID: s.ID, Network: in.Caller.Network,
		RequestID: in.Caller.RequestID}
	return a.Store.Write(ctx, func(tx *store.Tx) error {
		if err := tx.ClearAttempts(ctx, from.account, from.source()); err != nil {
			return err
		}
		_, err := a.verifySession(ctx, tx, actor, "sso", v.Extend)
		return err
	})
}

// provedByProvider refuses unless the provider confirms that this user has proved their identity since the visit began.
func (a *Accounts) provedByProvider(ctx context.Context, p *sso.Client, u fleet.User, v proofVisit, code string) error {
	identity, err := p.Finish(ctx, code, v.Nonce, v.Verifier)
	if err != nil {
		a.Log.Warn("step-up by a provider not accepted", "provider", p.ID, "user", u.ID, "error", err)
		if errors.Is(err, sso.ErrRejected) {
			return refuseSSO()
		}
		return refuseUnreachable()
	}
	owner, err := store.UserOfIdentity(ctx, a.Store.Reader(), identity.Issuer, identity.Subject)
	switch {
	case errors.Is(err, store.ErrNotFound) || (err == nil && owner != u.ID):
		return fleet.Refuse("sso_other_person", "", "Your provider signed in someone else.")
	case err != nil:
		return err
	case !identity.ProvedWithin(v.BegunAt.Time().Add(-authTimeSkew), a.Now().Add(authTimeSkew)):
		a.Log.Warn("step-up by a provider that does not say when it asked", "provider", p.ID, "user", u.ID, "auth_time", identity.AuthTime)
		return fleet.Refuse("sso_not_fresh", "", "Your provider didn't confirm that you just signed in.")
	}
	_, err = a.placeOf(ctx, p.Provider, identity)
	return err
}
