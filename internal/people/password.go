package people

import (
	"context"
	_ "embed"
	"slices"
	"strings"
	"sync"

	"github.com/alexedwards/argon2id"
	"golang.org/x/text/unicode/norm"

	"lightbar/catalog"
	"lightbar/internal/fleet"
)

// Passwords are hashed with argon2id, 19 MiB and two passes (decisions.md).
var hashParams = &argon2id.Params{Memory: 19 * 1024, Iterations: 2, Parallelism: 1, SaltLength: 16, KeyLength: 32}

var (
	passwordMin = int(catalog.LimitInt("session", "passwordMin"))
	passwordMax = int(catalog.LimitInt("session", "passwordMaxBytes"))
)

// passwordSpecials are the special characters of requirements 5.password.
const passwordSpecials = "*@!#%&()^~{}"

// Our own words, and those of leaked passwords by rank (scripts/passwords.mjs).
var (
	//go:embed password_common.txt
	commonText string
	//go:embed password_leaked.txt
	leakedText string
)

// commonPasswords are the passwords people choose most, in lower case.
var commonPasswords = sync.OnceValue(func() map[string]bool {
	out := map[string]bool{}
	for line := range strings.Lines(commonText + leakedText) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			out[line] = true
		}
	}
	return out
})

// checkPassword is the law for new passwords (requirements 5.password): at
// least 8 characters, a digit, an upper- and a lower-case letter and a special
// character; the commonest ones are refused. Own names must not be most of it.
func checkPassword(password string, own ...string) error {
	var digit, upper, lower, special bool
	password = plainPassword(password)
	for _, c := range password {
		switch {
		case c >= '0' && c <= '9':
			digit = true
		case c >= 'A' && c <= 'Z':
			upper = true
		case c >= 'a' && c <= 'z':
			lower = true
		case strings.ContainsRune(passwordSpecials, c):
			special = true
		}
	}
	if len([]rune(password)) < passwordMin || len(password) > passwordMax || !digit || !upper || !lower || !special {
		return fleet.Refuse("password_rules", "password", "Password does not fulfill password requirements.")
	}
	if isCommon(password, own) {
		return fleet.Refuse("password_common", "password", "Password does not fulfill password requirements: it is too easy to guess.")
	}
	return nil
}

// asLetters reads digits and signs as the letters they stand for; 1 is l or i.
var asLetters = strings.NewReplacer("0", "o", "3", "e", "4", "a", "5", "s", "7", "t", "@", "a", "!", "i")

// isCommon looks through the usual disguises: case, digits and signs around a
// common word, and letters written as digits.
func isCommon(password string, own []string) bool {
	lower := strings.ToLower(password)
	core := strings.Trim(lower, "0123456789"+passwordSpecials)
	common := commonPasswords()
	for _, form := range []string{lower, core, strings.Trim(lower, passwordSpecials)} {
		letters := asLetters.Replace(form)
		if common[form] || common[strings.ReplaceAll(letters, "1", "l")] || common[strings.ReplaceAll(letters, "1", "i")] {
			return true
		}
	}
	if core == "" && len(lower) < 16 {
		return true
	}
	for _, name := range own {
		if name = strings.ToLower(name); len(name) >= 4 && core == name {
			return true
		}
	}
	return false
}

// hashPassword hashes a password for storing; its caller has checked a session or a link.
func (a *Accounts) hashPassword(ctx context.Context, password string) (string, error) {
	leave, err := a.memory.hashing.enter(ctx, knownDevice)
	if err != nil {
		return "", err
	}
	defer leave()
	return argon2id.CreateHash(plainPassword(password), hashParams)
}

// plainPassword is a password in the one form in which it is hashed: keyboards of different systems send the same
// characters as different bytes (NIST SP 800-63B, section 5.1.1.2).
func plainPassword(password string) string { return norm.NFKC.String(password) }

// formsOf returns the byte forms under which a password may have been hashed: today's, then the one as it was sent, which was
// hashed in the past.
func formsOf(password string) []string {
	out := []string{plainPassword(password)}
	for _, form := range []string{password, norm.NFC.String(password), norm.NFD.String(password)} {
		if !slices.Contains(out, form) {
			out = append(out, form)
		}
	}
	return out
}

// matchPassword compares at the same cost whether or not the account exists (hash empty). stale means that the hash was made with
// other parameters, or from another form of the password, than today's.
func (a *Accounts) matchPassword(ctx context.Context, by standing, password, hash string) (match, stale bool, err error) {
	leave, err := a.memory.hashing.enter(ctx, by)
	if err != nil {
		return false, false, err
	}
	defer leave()
	known := hash != ""
	if !known {
		hash = a.memory.hashing.dummy
	}
	for i, form := range formsOf(password) { // their number depends on the password alone, not on the account
		match, params, err := argon2id.CheckHash(form, hash)
		if err != nil {
			return false, false, err
		}
		if match {
			return known, *params != *hashParams || i > 0, nil
		}
	}
	return false, false, nil
}
