package people

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha1"
	"crypto/subtle"
	"encoding/base32"
	"encoding/binary"
	"fmt"
	"net/url"
	"strings"
	"time"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"lightbar/internal/fleet"
)

// Time-based one-time passwords (RFC 6238) as every authenticator app makes
// them: SHA-1, six digits, a step of 30 seconds.
const (
	totpPeriod = 30 * time.Second
	totpSkew   = 1 // accepted steps before and after the current one
	totpBytes  = 20
)

var base32Plain = base32.StdEncoding.WithPadding(base32.NoPadding)

// totpCode is the code of one step (RFC 4226, 5.3: dynamic truncation).
func totpCode(secret []byte, step int64) string {
	mac := hmac.New(sha1.New, secret)
	var counter [8]byte
	binary.BigEndian.PutUint64(counter[:], uint64(step))
	mac.Write(counter[:])
	sum := mac.Sum(nil)
	at := sum[len(sum)-1] & 0x0f
	return fmt.Sprintf("%06d", (binary.BigEndian.Uint32(sum[at:])&0x7fffffff)%1_000_000)
}

// typedCode is a code without what apps and people put between its characters: blanks of any kind, dashes, zero-width characters.
// Full-width digits, as East Asian keyboards write them, become plain ones.
func typedCode(text string) string {
	return strings.Map(func(r rune) rune {
		if r > unicode.MaxASCII || !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			return -1
		}
		return unicode.ToUpper(r)
	}, norm.NFKC.String(text))
}

// totpMatch finds the step whose code was typed, among the current one and its neighbors; a step that is not newer than used is not
// accepted again.
func totpMatch(secret []byte, code string, now fleet.Instant, used int64) (step int64, ok bool) {
	code = typedCode(code)
	present := int64(now) / totpPeriod.Milliseconds()
	for s := present - totpSkew; s <= present+totpSkew; s++ {
		if subtle.ConstantTimeCompare([]byte(totpCode(secret, s)), []byte(code)) == 1 && s > used {
			step, ok = s, true
		}
	}
	return step, ok
}

// newTOTPSecret makes the secret of an authenticator app.
func newTOTPSecret() []byte {
	secret := make([]byte, totpBytes)
	_, _ = rand.Read(secret) // crypto/rand never fails
	return secret
}

// totpURL is the address that authenticator apps read from a QR code.
func totpURL(issuer, account string, secret []byte) string {
	label := url.PathEscape(strings.ReplaceAll(issuer, ":", " ") + ":" + account)
	q := url.Values{"secret": {base32Plain.EncodeToString(secret)}, "issuer": {issuer}, "algorithm": {"SHA1"}, "digits": {"6"},
		"period": {"30"}}
	return "otpauth://totp/" + label + "?" + strings.ReplaceAll(q.Encode(), "+", "%20")
}

// totpPurpose is the purpose for which the key that seals these secrets is derived.
const totpPurpose = "lightbar totp 1"
