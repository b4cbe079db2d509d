package people

import (
	"context"
	"encoding/json"
	"errors"
	"strings"

	"lightbar/catalog"
	"lightbar/internal/access"
	"lightbar/internal/audit"
	"lightbar/internal/fleet"
	"lightbar/internal/secret"
	"lightbar/internal/store"
	"lightbar/internal/wire"
)

// stepUpLife is how long a proof of identity satisfies mustBeFresh.
var stepUpLife = catalog.LimitMs("session", "stepUpMs")

// MustBeFresh refuses (step_up_required, 403) an actor who has not proved their
// identity within the last ten minutes, by signing in or by StepUp. Every verb
// calls it that gives access, takes it from others, weakens a rule of signing
// in, or deletes; testkit/authz lists them. Call it after the permission check
// and before the first effect: before any lookup, or after the check of reach,
// so that it reveals nothing about what exists; and after the validation of a
// form, so that nobody proves their identity for a form that is refused anyway.
// The system actor is always fresh; API keys never are.
func (a *Accounts) MustBeFresh(ctx context.Context, actor *access.Actor) error {
	return a.MustBeFreshIn(ctx, a.Store.Reader(), actor)
}

// MustBeFreshIn is mustBeFresh inside a transaction.
func (a *Accounts) MustBeFreshIn(ctx context.Context, r store.Reader, actor *access.Actor) error {
	if actor.UserID == "" && actor.KeyID == "" && actor.Super {
		return nil
	}
	if actor.SessionID == "" {
		return refuseStale()
	}
	s, err := store.SessionByID(ctx, r, actor.SessionID)
	if errors.Is(err, store.ErrNotFound) {
		return refuseStale()
	}
	if err != nil {
		return err
	}
	if s.UserID != actor.UserID || !isFresh(s, a.now()) {
		return refuseStale()
	}
	return nil
}

func refuseStale() *fleet.Refusal {
	return fleet.Refuse("step_up_required", "", "Please confirm it's you.")
}

// isFresh reports whether a family's user has recently proved their identity.
func isFresh(s fleet.Session, now fleet.Instant) bool {
	age := now.Sub(s.VerifiedAt)
	return s.VerifiedAt != 0 && age >= 0 && age < stepUpLife
}

// StepUp is the proof that a signed-in user offers: a code of the authenticator app or a recovery code, a passkey, or a password
// where there is no second factor.
type StepUp struct {
	Password   string
	Code       string
	Challenge  string // of StepUpPasskey, with Credential
	Credential json.RawMessage
	// Extend moves the session's absolute end to 24 h from now.
	Extend bool
	// Unlock only opens the lock screen: a password suffices, because the session
	// is still open, and it counts as no proof for mustBeFresh.
	Unlock bool
	Caller Caller
}

// pendingStepUp is the stored state of a passkey's step-up; it belongs to one session.
type pendingStepUp = pendingPasskey

func refuseStepUp(sentence string) *fleet.Refusal {
	return fleet.Refuse("step_up_failed", "", sentence)
}

// StepUpPasskey begins a step-up with a passkey. Refusals: step_up_failed (none is registered).
func (a *Accounts) StepUpPasskey(ctx context.Context, actor *access.Actor) (wire.PasskeyChallenge, error) {
	if err := mustBePerson(actor); err != nil {
		return wire.PasskeyChallenge{}, err
	}
	r := a.Store.Reader()
	u, _, err := a.ownUser(ctx, r, actor)
	if err != nil {
		return wire.PasskeyChallenge{}, err
	}
	rows, err := store.PasskeysOf(ctx, r, u.ID)
	if err != nil {
		return wire.PasskeyChallenge{}, err
	}
	options, ceremony, err := a.askPasskey(u, rows)
	if err != nil {
		return wire.PasskeyChallenge{}, err
	}
	if ceremony == nil {
		return wire.PasskeyChallenge{}, refuseStepUp("You don't have a passkey here.")
	}
	token := secret.RandomToken(prefixChallenge, secretBytes)
	err = a.Store.Write(ctx, func(tx *store.Tx) error {
		return a.keepChallenge(ctx, tx, "step_up", token, u.ID, pendingStepUp{SessionID: actor.SessionID, Ceremony: ceremony})
	})
	return wire.PasskeyChallenge{Challenge: token, Passkey: options}, err
}

// StepUp notes that the user of this session has just proved their identity, for mustBeFresh; with Unlock it only returns whether
// the proof is correct, for the lock screen. Wrong answers are counted separately from those of sign-ins. Refusals: step_up_failed,
// rate_limited, validation_failed (unlock with extend).
func (a *Accounts) StepUp(ctx context.Context, actor *access.Actor, in StepUp) (wire.Verified, error) {
	if err := mustBePerson(actor); err != nil {
		return wire.Verified{}, err
	}
	if in.Unlock && in.Extend {
		return wire.Verified{}, fleet.Refuse("validation_failed", "extend", "Unlocking the screen isn't enough to extend the session.")
	}
	defer a.memory.signIns.Lock("factor " + actor.UserID)()
	u, o, err := a.ownUser(ctx, a.Store.Reader(), actor)
	if err != nil {
		return wire.Verified{}, err
	}
	from, err := a.factorFrom(ctx, u, in.Caller)
	if err != nil {
		return wire.Verified{}, err
	}
	if err := a.mayAttempt(ctx, from); err != nil {
		return wire.Verified{}, slowStepUp(err)
	}
	method, use, err := a.proveAgain(ctx, actor, u, o, in)
	if err != nil {
		return wire.Verified{}, err
	}
	if use == nil {
		return wire.Verified{}, a.failedStepUp(ctx, u, from, method, in.Caller)
	}
	var s, shown fleet.Session
	err = a.Store.Write(ctx, func(tx *store.Tx) error {
		if ok, err := use(ctx, tx); err != nil {
			return err
		} else if !ok {
			return errNotProved
		}
		if s, err = a.proved(ctx, tx, actor, from, method, in); err != nil {
			return err
		}
		shown, _, err = a.standing(ctx, tx, s, u, o)
		return err
	})
	if errors.Is(err, errNotProved) {
		return wire.Verified{}, a.failedStepUp(ctx, u, from, method, in.Caller)
	}
	return wire.Verified{VerifiedAt: s.VerifiedAt, Until: s.VerifiedAt.Add(stepUpLife), EndsAt: shown.AbsoluteAt}, err
}

// slowStepUp answers "too often" without the 401 that would end the session in
// the browser.
func slowStepUp(err error) error {
	var refusal *fleet.Refusal
	if !errors.As(err, &refusal) || refusal.Code != "locked_out" {
		return err
	}
	return &fleet.Refusal{Code: "rate_limited", Message: "Too many attempts. Please try again later.", RetryAfterS: refusal.RetryAfterS}
}

func (a *Accounts) failedStepUp(ctx context.Context, u fleet.User, from attemptFrom, method string, c Caller) error {
	if err := a.wrongFactor(ctx, u, from, "step_up_refused", method, c); err != nil {
		return err
	}
	return refuseStepUp("That's not correct.")
}

// proveAgain checks the offered proof; a nil proof means a wrong one. A
// password proves nothing if the organization uses single sign-on, and is not
// enough for a user with a second factor, unless it only unlocks the screen. In
// those cases it is not compared at all, so that nobody can guess it here.
func (a *Accounts) proveAgain(ctx context.Context, actor *access.Actor, u fleet.User, o fleet.Organization,
	in StepUp) (method string, use proof, err error) {
	f, err := a.factorsOf(ctx, a.Store.Reader(), u.ID)
	if err != nil {
		return "", nil, err
	}
	if in.Password != "" {
		if f.any() && !in.Unlock {
			return "password", nil, refuseStepUp("Please confirm with your second factor.")
		}
		if o.SSOOnly && !u.BreakGlass {
			return "password", nil, refuseStepUp(refuseMethod().Message)
		}
		if len(in.Password) > passwordMax {
			return "password", nil, nil
		}
		match, _, err := a.matchPassword(ctx, knownDevice, in.Password, u.PasswordHash)
		if err != nil || !match {
			return "password", nil, err
		}
		return "password", func(ctx context.Context, tx *store.Tx) (bool, error) {
			now, err := store.UserByID(ctx, tx, u.ID)
			return err == nil && now.PasswordHash == u.PasswordHash, err
		}, nil
	}
	if in.Challenge == "" {
		method = "totp"
		if f.any() && len(strings.TrimSpace(in.Code)) > len("123 456") {
			method = "recovery"
		}
		use, err = a.prove(u, f, answer{method: method, code: in.Code})
		return method, use, err
	}
	var pending pendingStepUp
	owner, err := a.openChallenge(ctx, "step_up", in.Challenge, &pending)
	if err != nil || owner != u.ID || pending.SessionID != actor.SessionID {
		return "passkey", nil, err
	}
	answered, err := a.prove(u, f, answer{method: "passkey", credential: in.Credential, session: pending.Ceremony, caller: in.Caller})
	if err != nil || answered == nil {
		return "passkey", nil, err
	}
	return "passkey", func(ctx context.Context, tx *store.Tx) (bool, error) {
		if used, err := tx.UseOneTime(ctx, secret.Hash(in.Challenge), "step_up", a.now()); err != nil || !used {
			return false, err
		}
		return answered(ctx, tx)
	}, nil
}

// proved applies a correct answer. Unlocking does not reset the count of wrong
// answers: somebody with the password must not get unlimited guesses at codes.
func (a *Accounts) proved(ctx context.Context, tx *store.Tx, actor *access.Actor, from attemptFrom, method string,
	in StepUp) (fleet.Session, error) {
	if in.Unlock {
		return a.liveSession(ctx, tx, actor)
	}
	if err := tx.ClearAttempts(ctx, from.account, from.source()); err != nil {
		return fleet.Session{}, err
	}
	return a.verifySession(ctx, tx, actor, method, in.Extend)
}

// liveSession is the actor's family, unless it has ended.
func (a *Accounts) liveSession(ctx context.Context, tx *store.Tx, actor *access.Actor) (fleet.Session, error) {
	s, err := store.SessionByID(ctx, tx, actor.SessionID)
	if err == nil && outcomeOfRefresh(s, s.Generation, 0, a.now()) == refreshEnded {
		err = refuseToken()
	}
	return s, err
}

// verifySession writes the proof into the family, and the new absolute end if requested.
func (a *Accounts) verifySession(ctx context.Context, tx *store.Tx, actor *access.Actor, method string,
	extend bool) (fleet.Session, error) {
	s, err := a.liveSession(ctx, tx, actor)
	if err != nil {
		return s, err
	}
	s.VerifiedAt = a.now()
	if extend && s.AbsoluteAt != 0 {
		s.AbsoluteAt = s.VerifiedAt.Add(absoluteLife)
	}
	if err := tx.VerifySession(ctx, s); err != nil {
		return s, err
	}
	after := map[string]any{"method": method}
	if extend {
		after["extended"] = true
	}
	return s, a.Audit.Write(ctx, tx, actor, audit.Row{Verb: "step_up", Noun: "session", NounID: s.ID, After: after})
}
