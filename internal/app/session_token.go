package app

import (
	"crypto/hkdf"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"hash/crc32"
	"strings"
)

// Tokens are opaque text: a prefix that says the purpose, random-looking
// base64url, and a CRC-32 so that typing errors and secret scanners need no
// database. Only SHA-256 hashes are stored; a token works for its one purpose.
const (
	prefixAccess     = "lb_at_"
	prefixRefresh    = "lb_rt_"
	prefixKey        = "lb_key_"
	prefixSetup      = "lb_set_"
	prefixDevice     = "lb_dev_"
	prefixReset      = "lb_rst_"
	prefixUnlock     = "lb_unl_"
	prefixInvitation = "lb_inv_"

	accessBytes  = 303 // 404 characters: the sign-in link of specification section 2 wants more than 400
	secretBytes  = 32
	deviceBytes  = 20 // people type the secret of a tracker app on a phone
	checksumSize = 8
)

// sealToken makes a token's text of its bytes.
func sealToken(prefix string, raw []byte) string {
	body := prefix + base64.RawURLEncoding.EncodeToString(raw)
	return body + fmt.Sprintf("%08x", crc32.ChecksumIEEE([]byte(body)))
}

// wellFormed tells whether text is a token of this purpose with the right
// checksum; anything else is refused before the database is asked.
func wellFormed(prefix, token string) bool {
	if len(token) > 600 || len(token) <= len(prefix)+checksumSize || !strings.HasPrefix(token, prefix) {
		return false
	}
	cut := len(token) - checksumSize
	return token[cut:] == fmt.Sprintf("%08x", crc32.ChecksumIEEE([]byte(token[:cut])))
}

// randomToken makes a token nobody can derive.
func randomToken(prefix string, bytes int) string {
	raw := make([]byte, bytes)
	_, _ = rand.Read(raw) // crypto/rand never fails
	return sealToken(prefix, raw)
}

// pairOf derives the token pair of one generation of a family: the same
// question gets the same answer, so that a lost answer can be given again
// without storing any token (decisions.md, "Tokens, sessions, passwords").
func (a *App) pairOf(sessionID string, generation int64) (access, refresh string) {
	derive := func(prefix string, bytes int) string {
		raw, err := hkdf.Key(sha256.New, a.ServerKey, []byte("lightbar token 1"), fmt.Sprintf("%s|%s|%d", prefix, sessionID, generation), bytes)
		if err != nil {
			panic("app: token derivation: " + err.Error()) // only for impossible lengths
		}
		return sealToken(prefix, raw)
	}
	return derive(prefixAccess, accessBytes), derive(prefixRefresh, secretBytes)
}

// hashOf is what is stored of a token.
func hashOf(token string) string {
	sum := sha256.Sum256([]byte(token))
	return hex.EncodeToString(sum[:])
}
