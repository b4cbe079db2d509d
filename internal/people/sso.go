package people

import (
	"context"
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/json"
	"errors"
	"net/url"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"lightbar/internal/fleet"
	"lightbar/internal/sso"
	"lightbar/internal/store"
	"lightbar/internal/wire"
)

// ssoLife is how long a visit to a provider may take.
const ssoLife = 10 * time.Minute

// SignInMethods returns how people may sign in, and by which rules they choose a password. It is open to everyone.
func (a *Accounts) SignInMethods(context.Context) wire.SignInMethods {
	out := wire.SignInMethods{Password: true, LinkConfirmation: a.LinkConfirmation, Providers: []wire.SignInProvider{},
		PasswordPolicy: string(PasswordsSpecified)}
	if a.Passwords != "" {
		out.PasswordPolicy = string(a.Passwords)
	}
	for _, p := range a.Providers {
		out.Providers = append(out.Providers, wire.SignInProvider{ID: p.ID, Title: p.Title, Start: "/api/sso/" + p.ID + "/start"})
	}
	return out
}

// visit is the state that the browser carries to the provider and back, sealed
// in a cookie.
type visit struct {
	Provider, State, Nonce, Verifier string
	Origin                           string // where to go afterwards, an address below /dashboard
	Until                            fleet.Instant
}

// StartSSO begins a visit to a provider: it returns the address for the browser, and the cookie that ties the answer to this
// browser. Refusals: provider_unknown, sso_failed.
func (a *Accounts) StartSSO(ctx context.Context, providerID, origin string) (address, cookie string, err error) {
	p := a.providerByID(providerID)
	if p == nil {
		return "", "", fleet.Refuse("provider_unknown", "", "Unknown sign-in provider.")
	}
	v := visit{Provider: providerID, State: rand.Text(), Nonce: rand.Text(), Verifier: rand.Text() + rand.Text(),
		Origin: safeOrigin(origin), Until: a.now().Add(ssoLife)}
	if address, err = p.Start(ctx, v.State, v.Nonce, v.Verifier); err != nil {
		a.Log.Warn("single sign-on cannot begin", "provider", providerID, "error", err)
		return "", "", refuseSSO()
	}
	cookie, err = a.sealVisit(signInVisit, v)
	return address, cookie, err
}

// LeaveSSO returns the address where a browser signs out of a provider, too. Refusals: provider_unknown, sso_failed (also where the
// provider has no such place).
func (a *Accounts) LeaveSSO(ctx context.Context, providerID string) (string, error) {
	p := a.providerByID(providerID)
	if p == nil {
		return "", fleet.Refuse("provider_unknown", "", "Unknown sign-in provider.")
	}
	address, err := p.Leave(ctx)
	if err != nil {
		a.Log.Warn("nobody can be signed out at the provider", "provider", providerID, "error", err)
	}
	if address == "" {
		return "", refuseSSO()
	}
	return address, nil
}

func refuseSSO() *fleet.Refusal {
	return fleet.Refuse("sso_failed", "", "Sign-in with your provider failed. Please try again.")
}

// SSOAnswer is what a browser brings back from a provider.
type SSOAnswer struct {
	Provider, Cookie   string
	State, Code, Error string
	Caller             Caller
}

// FinishSSO checks a browser's answer from a provider, finds or creates the user by issuer and subject (never by e-mail), places
// them by the first mapping of their groups, and begins a session. origin is where the browser wanted to go. Refusals: sso_failed,
// sso_not_mapped, sso_groups_missing, sso_misconfigured, sso_other_organization, email_in_use, user_suspended, dashboard_forbidden,
// not_safetycloud_enabled.
func (a *Accounts) FinishSSO(ctx context.Context, in SSOAnswer) (g Grant, origin string, err error) {
	p := a.providerByID(in.Provider)
	var v visit
	if p == nil || !a.openVisit(signInVisit, in.Cookie, &v) || !a.answers(v, in) {
		return Grant{}, "", refuseSSO()
	}
	if in.Error != "" || in.Code == "" {
		a.Log.Info("single sign-on refused by the provider", "provider", in.Provider, "code", cutText(in.Error, 60))
		return Grant{}, "", refuseSSO()
	}
	identity, err := p.Finish(ctx, in.Code, v.Nonce, v.Verifier)
	if err != nil {
		a.Log.Warn("single sign-on not accepted", "provider", in.Provider, "error", err)
		return Grant{}, "", refuseSSO()
	}
	g, err = a.enterBySSO(ctx, p.Provider, identity, in.Caller)
	return g, v.Origin, err
}

func (a *Accounts) enterBySSO(ctx context.Context, p sso.Provider, identity sso.Identity, c Caller) (Grant, error) {
	place, placeErr := a.placeOf(ctx, p, identity)
	u, err := a.userOfIdentity(ctx, identity)
	if err != nil {
		return Grant{}, err
	}
	if errors.Is(placeErr, errGroupsMissing) {
		if err := a.tellGroupsMissing(ctx, p, u, identity); err != nil {
			return Grant{}, err
		}
	}
	switch {
	case u.ID == "" && placeErr != nil:
		return Grant{}, placeErr
	case u.ID == "":
		return a.firstVisit(ctx, place, identity, c)
	case errors.Is(placeErr, errNoGroup) && a.speaksFor(p, u.OrganizationID):
		return Grant{}, a.shutOut(ctx, p, u, c) // no mapped group: no access anymore
	case placeErr != nil:
		return Grant{}, a.refusedEntry(ctx, u, placeErr, c) // the configuration's fault, or the wrong provider: open sessions continue
	}
	return a.enterAgain(ctx, p, place, u, identity, c)
}

// enterAgain signs in a known user, and assigns organization and role again if
// the groups say so.
func (a *Accounts) enterAgain(ctx context.Context, p sso.Provider, place placement, u fleet.User, identity sso.Identity,
	c Caller) (Grant, error) {
	before := u
	u.OrganizationID, u.RoleID = place.organization.ID, place.role.ID
	if before.OrganizationID != u.OrganizationID && !p.Maps(before.OrganizationID) {
		return Grant{}, a.refuseMove(ctx, p, before, u.OrganizationID, c)
	}
	u.Suspended = u.Suspended && !u.ShutOut // the provider lifts only its own suspension
	if err := a.mayBeIn(u, place.organization); err != nil {
		return Grant{}, a.refusedEntry(ctx, u, err, c)
	}
	var change userChange
	g, err := a.startSession(ctx, u, entry{Method: "sso", ProvedAt: a.provedAt(identity)}, c, func(tx *store.Tx) (err error) {
		if before.ShutOut {
			if err := a.letIn(ctx, tx, p, u, c); err != nil {
				return err
			}
		}
		if before.OrganizationID != u.OrganizationID || before.RoleID != u.RoleID {
			if change, err = a.moveByProvider(ctx, tx, p, before, u, c); err != nil {
				return err
			}
		}
		return tx.TouchIdentity(ctx, identity.Issuer, identity.Subject, a.now())
	})
	if err == nil {
		change.access = change.access || before.ShutOut
		a.userChanged(u.ID, change)
	}
	return g, err
}

// provedAt is when the provider asked the user to sign in, if that is a fresh proof; else 0.
func (a *Accounts) provedAt(identity sso.Identity) fleet.Instant {
	now := a.Now()
	if !identity.ProvedWithin(now.Add(-stepUpLife), now.Add(authTimeSkew)) {
		return 0
	}
	return min(fleet.InstantOf(identity.AuthTime), a.now())
}

// userOfIdentity finds the user of a subject; a zero user when there was none yet.
func (a *Accounts) userOfIdentity(ctx context.Context, identity sso.Identity) (fleet.User, error) {
	id, err := store.UserOfIdentity(ctx, a.Store.Reader(), identity.Issuer, identity.Subject)
	if errors.Is(err, store.ErrNotFound) {
		return fleet.User{}, nil
	}
	if err != nil {
		return fleet.User{}, err
	}
	u, err := store.UserByID(ctx, a.Store.Reader(), id)
	if errors.Is(err, store.ErrNotFound) { // removed here: the provider cannot bring them back
		return fleet.User{}, errNoGroup
	}
	return u, err
}

// firstVisit creates a user at the first sign-in. An e-mail address that
// another user has is never taken over: otherwise a provider's user could
// become any local one.
func (a *Accounts) firstVisit(ctx context.Context, place placement, identity sso.Identity, c Caller) (Grant, error) {
	u := fleet.User{ID: a.NewID(), OrganizationID: place.organization.ID, Email: identity.Email, EmailKey: fleet.EmailKey(identity.Email),
		FirstName: cutText(identity.FirstName, 100), LastName: cutText(identity.LastName, 100), RoleID: place.role.ID, CountryCode: "US",
		Version: 1, UpdatedAt: a.now()}
	if !fleet.ValidEmail(u.Email) {
		return Grant{}, fleet.Refuse("sso_failed", "", "Your provider didn't share a verified email address.")
	}
	if u.FirstName == "" && u.LastName == "" {
		u.FirstName = strings.Split(u.Email, "@")[0]
	}
	if err := a.mayBeIn(u, place.organization); err != nil {
		return Grant{}, err
	}
	actor := c.as(u)
	return a.startSession(ctx, u, entry{Method: "sso", ProvedAt: a.provedAt(identity)}, c, func(tx *store.Tx) error {
		if err := insertUser(ctx, tx, u); err != nil {
			return err
		}
		if err := a.Audit.Write(ctx, tx, actor, users.Made(u.ID, &u)); err != nil {
			return err
		}
		return tx.InsertIdentity(ctx, identity.Issuer, identity.Subject, u.ID, a.now())
	})
}

func (a *Accounts) providerByID(id string) *sso.Client {
	for _, p := range a.Providers {
		if p.ID == id {
			return p
		}
	}
	return nil
}

// safeOrigin keeps addresses inside the dashboard; another site is no origin.
func safeOrigin(origin string) string {
	inside := origin == "/dashboard" || strings.HasPrefix(origin, "/dashboard/") || strings.HasPrefix(origin, "/dashboard?")
	if !inside || len(origin) > 1000 || strings.ContainsRune(origin, '\\') ||
		strings.ContainsFunc(origin, unicode.IsControl) || strings.Contains(origin, "//") ||
		!utf8.ValidString(origin) {
		return ""
	}
	if _, err := url.Parse(origin); err != nil { // a redirect there would lead nowhere
		return ""
	}
	return origin
}

// The purposes of a visit; a cookie of one is unreadable for the other.
const (
	signInVisit = "lightbar sign-in visit 1"
	stepUpVisit = "lightbar step-up visit 1"
)

// answers reports whether a browser's answer belongs to its visit.
func (a *Accounts) answers(v visit, in SSOAnswer) bool {
	return v.Provider == in.Provider && a.now() < v.Until && in.State != "" &&
		subtle.ConstantTimeCompare([]byte(in.State), []byte(v.State)) == 1
}

func (a *Accounts) visitSeal(purpose string) cipher.AEAD {
	key, err := hkdf.Key(sha256.New, a.ServerKey, nil, purpose, 32)
	if err != nil {
		panic("app: visit key: " + err.Error()) // only for impossible lengths
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		panic("app: visit key: " + err.Error())
	}
	seal, err := cipher.NewGCMWithRandomNonce(block)
	if err != nil {
		panic("app: visit key: " + err.Error())
	}
	return seal
}

func (a *Accounts) sealVisit(purpose string, v any) (string, error) {
	text, err := json.Marshal(v)
	return base64.RawURLEncoding.EncodeToString(a.visitSeal(purpose).Seal(nil, nil, text, nil)), err
}

// openVisit reads a cookie of a purpose into v; false when it is not one.
func (a *Accounts) openVisit(purpose, cookie string, v any) bool {
	sealed, err := base64.RawURLEncoding.DecodeString(cookie)
	if err != nil || len(sealed) > 8192 {
		return false
	}
	text, err := a.visitSeal(purpose).Open(nil, nil, sealed, nil)
	return err == nil && json.Unmarshal(text, v) == nil
}
