package people

import (
	"context"
	"strings"

	"github.com/alexedwards/argon2id"

	"lightbar/catalog"
	"lightbar/internal/fleet"
	"lightbar/internal/store"
	"lightbar/internal/wire"
)

// PasswordProfile names a set of password rules.
type PasswordProfile string

// The profiles (decisions.md): the specified one (requirements 5.password, 90 days, history of 10), and that of NIST SP 800-63B (15
// characters, no composition, no expiry). Both refuse the most common passwords.
const (
	PasswordsSpecified PasswordProfile = "specified"
	PasswordsNIST      PasswordProfile = "nist"
)

var (
	passwordMinNIST = int(catalog.LimitInt("session", "passwordMinNist"))
	differentNIST   = int(catalog.LimitInt("session", "passwordDifferentNist"))
	passwordHistory = int(catalog.LimitInt("session", "passwordHistory"))
	passwordNotice  = catalog.LimitMs("session", "passwordNoticeMs")
)

// checkPassword is the law for new passwords of this installation's profile. own are names that must not make up most of it.
// Refusals: password_rules, password_common.
func (a *Accounts) checkPassword(password string, own ...string) error {
	if a.Passwords == PasswordsNIST {
		return checkPasswordNIST(password, own...)
	}
	return checkPassword(password, own...)
}

// CheckSpecifiedPassword is the law of the profile "specified" for a user who does not exist yet. Refusals: password_rules,
// password_common.
func CheckSpecifiedPassword(password string, in wire.UserCreate) error {
	return checkPassword(password, ownNames(fleet.User{FirstName: in.FirstName, LastName: in.LastName, EmailKey: fleet.EmailKey(in.Email)})...)
}

// checkPasswordNIST requires only length, and refuses the most common passwords.
func checkPasswordNIST(password string, own ...string) error {
	if len([]rune(password)) < passwordMinNIST || len(password) > passwordMax {
		return fleet.Refuse("password_rules", "password", "Password does not fulfill password requirements.")
	}
	if isCommon(password, own) || monotonous(password) || repeatsCommon(password, own) {
		return fleet.Refuse("password_common", "password", "Password does not fulfill password requirements: it is too easy to guess.")
	}
	return nil
}

// monotonous reports a password with too few different characters: length alone
// is not enough.
func monotonous(password string) bool {
	seen := map[rune]bool{}
	for _, c := range strings.ToLower(password) {
		seen[c] = true
	}
	return len(seen) < differentNIST
}

// repeatsCommon reports a password that only repeats a common word.
func repeatsCommon(password string, own []string) bool {
	for unit := 1; unit <= len(password)/2; unit++ {
		if len(password)%unit == 0 && strings.Repeat(password[:unit], len(password)/unit) == password && isCommon(password[:unit], own) {
			return true
		}
	}
	return false
}

// ownNames are what a user's password must not consist of.
func ownNames(u fleet.User) []string {
	local, _, _ := strings.Cut(u.EmailKey, "@")
	return []string{u.FirstName, u.LastName, local}
}

// passwordExpiresAt is when a user's password has to be replaced, 0 = never:
// under NIST's profile, and for users without one.
func (a *Accounts) passwordExpiresAt(u fleet.User) fleet.Instant {
	if a.Passwords == PasswordsNIST || u.PasswordHash == "" || u.PasswordChangedAt == 0 {
		return 0
	}
	return u.PasswordChangedAt.Add(passwordLife)
}

func refuseReused() error {
	return fleet.Refuse("password_reused", "password", "Cannot be same as last 10 passwords.")
}

// mustBeNewPassword refuses (password_reused) the current password and, under the required profile, the ten before it.
func (a *Accounts) mustBeNewPassword(ctx context.Context, u fleet.User, password string) error {
	var former []string
	if a.Passwords != PasswordsNIST {
		var err error
		if former, err = store.PasswordHistory(ctx, a.Store.Reader(), u.ID, passwordHistory); err != nil {
			return err
		}
	}
	if u.PasswordHash != "" {
		former = append(former, u.PasswordHash)
	}
	for _, hash := range former {
		same, err := a.sameAsFormer(ctx, password, hash)
		if err != nil {
			return err
		}
		if same {
			return refuseReused()
		}
	}
	return nil
}

// sameAsFormer compares one hash. It takes the hashing slot for each
// comparison, so that sign-ins get their turn.
func (a *Accounts) sameAsFormer(ctx context.Context, password, hash string) (bool, error) {
	leave, err := a.memory.hashing.enter(ctx, knownDevice)
	if err != nil {
		return false, err
	}
	defer leave()
	for _, form := range formsOf(password) {
		if same, err := argon2id.ComparePasswordAndHash(form, hash); same || err != nil {
			return same, err
		}
	}
	return false, nil
}

// newPasswordHash is the law and the hash of a user's new password. Refusals:
// password_rules, password_common, password_reused.
func (a *Accounts) newPasswordHash(ctx context.Context, u fleet.User, password string) (string, error) {
	if err := a.checkPassword(password, ownNames(u)...); err != nil {
		return "", err
	}
	if err := a.mustBeNewPassword(ctx, u, password); err != nil {
		return "", err
	}
	return a.hashPassword(ctx, password)
}

// storePassword replaces a user's password in a transaction: the old one joins
// the history, links to choose a password become invalid, wrong passwords are
// forgotten, and all sessions but one end. It answers the ended sessions, for
// sessionEnded after the commit.
func (a *Accounts) storePassword(ctx context.Context, tx *store.Tx, u fleet.User, hash, keepSession string) (ended []string, err error) {
	now := a.now()
	if u.PasswordHash != "" {
		setAt := u.PasswordChangedAt
		if setAt == 0 {
			setAt = now
		}
		if err := tx.RememberPassword(ctx, u.ID, u.PasswordHash, setAt); err != nil {
			return nil, err
		}
		if err := tx.TrimPasswordHistory(ctx, u.ID, passwordHistory); err != nil {
			return nil, err
		}
	}
	if err := tx.SetUserPassword(ctx, u.ID, hash, now); err != nil {
		return nil, err
	}
	for _, l := range []linkLetter{letterReset, letterInvitation} {
		if err := tx.DropOneTimes(ctx, l.purpose, u.ID, now); err != nil {
			return nil, err
		}
		if err := tx.SupersedeMail(ctx, u.ID, l.kind, now); err != nil {
			return nil, err
		}
	}
	if err := tx.ClearAccountAttempts(ctx, u.ID); err != nil {
		return nil, err
	}
	live, err := store.LiveSessionsOf(ctx, tx, u.ID)
	if err != nil {
		return nil, err
	}
	for _, id := range live {
		if id == keepSession {
			continue
		}
		if _, err := tx.EndSession(ctx, id, now, "password changed"); err != nil {
			return nil, err
		}
		ended = append(ended, id)
	}
	return ended, nil
}
