package secret

import (
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
const checksumSize = 8

// Token makes a token's text of its bytes.
func Token(prefix string, raw []byte) string {
	body := prefix + base64.RawURLEncoding.EncodeToString(raw)
	return body + fmt.Sprintf("%08x", crc32.ChecksumIEEE([]byte(body)))
}

// WellFormed reports whether text is a token of this purpose with the right
// checksum; anything else is refused before the database is asked.
func WellFormed(prefix, token string) bool {
	if len(token) > 600 || len(token) <= len(prefix)+checksumSize || !strings.HasPrefix(token, prefix) {
		return false
	}
	cut := len(token) - checksumSize
	return token[cut:] == fmt.Sprintf("%08x", crc32.ChecksumIEEE([]byte(token[:cut])))
}

// RandomToken makes a token nobody can derive.
func RandomToken(prefix string, bytes int) string {
	raw := make([]byte, bytes)
	_, _ = rand.Read(raw) // crypto/rand never fails
	return Token(prefix, raw)
}

// Hash is what is stored of a token.
func Hash(token string) string {
	sum := sha256.Sum256([]byte(token))
	return hex.EncodeToString(sum[:])
}
