package people

import (
	"crypto/hkdf"
	"crypto/sha256"
	"fmt"

	"lightbar/internal/secret"
)

// The prefixes of tokens, one for each purpose.
const (
	prefixAccess     = "lb_at_"
	prefixRefresh    = "lb_rt_"
	prefixKey        = "lb_key_"
	prefixSetup      = "lb_set_"
	prefixDevice     = "lb_dev_"
	prefixReset      = "lb_rst_"
	prefixUnlock     = "lb_unl_"
	prefixInvitation = "lb_inv_"
	prefixChallenge  = "lb_mfa_"
	prefixQuestion   = "lb_clq_"

	accessBytes = 303 // 404 characters: the sign-in link of requirements 2.pub needs more than 400
	secretBytes = 32
	deviceBytes = 20 // people type the secret of a tracker app on a phone
)

// pairOf derives the token pair of one generation of a family. It always gives
// the same result, so that a lost answer can be repeated without storing any
// token (decisions.md, "Tokens, sessions, passwords").
func (a *Accounts) pairOf(sessionID string, generation int64) (access, refresh string) {
	derive := func(prefix string, bytes int) string {
		raw, err := hkdf.Key(sha256.New, a.ServerKey, []byte("lightbar token 1"), fmt.Sprintf("%s|%s|%d", prefix, sessionID, generation), bytes)
		if err != nil {
			panic("app: token derivation: " + err.Error()) // only for impossible lengths
		}
		return secret.Token(prefix, raw)
	}
	return derive(prefixAccess, accessBytes), derive(prefixRefresh, secretBytes)
}
