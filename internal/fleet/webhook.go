package fleet

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"strconv"
	"strings"
	"time"

	"lightbar/catalog"
)

var webhookWindow = catalog.LimitMs("integrations", "webhookMs")

// webhookKeyLeast is how many bytes a webhook's secret has at least: a shorter one could be guessed.
const webhookKeyLeast = 16

// CheckWebhookSecret judges what a provider signs its webhooks with: base64, as the provider shows it.
func CheckWebhookSecret(said string) (secret, sentence string) {
	if secret, sentence = CheckText(said, integrationSecretMax); sentence != "" || secret == "" {
		return secret, sentence
	}
	key, err := webhookKey(secret)
	switch {
	case err != nil:
		return secret, "Enter the secret key as Samsara shows it"
	case len(key) < webhookKeyLeast:
		return secret, "The secret key is too short"
	}
	return secret, ""
}

func webhookKey(secret string) ([]byte, error) { return base64.StdEncoding.DecodeString(secret) }

// SignedWebhook is a request of a provider's webhook: its headers, and its body as it came.
type SignedWebhook struct {
	Timestamp string // X-Samsara-Timestamp: seconds since the epoch
	Signature string // X-Samsara-Signature: v1=<hex>
	Body      string
}

// Fresh refuses a webhook that was signed too long ago, or too far ahead. A signature that was overheard is of no use later.
func (w SignedWebhook) Fresh(now Instant) *Refusal {
	seconds, err := strconv.ParseInt(w.Timestamp, 10, 64)
	if err != nil || seconds < 0 || seconds > int64(1)<<40 {
		return RefuseWebhook()
	}
	if age := now.Sub(Instant(seconds * 1000)); age > webhookWindow || age < -webhookWindow {
		return Refuse("webhook_stale", "", "The timestamp is more than "+strconv.Itoa(int(webhookWindow/time.Minute))+
			" minutes off. Send the event again with a new one.")
	}
	return nil
}

// Verify refuses a webhook that is not signed with a secret: HMAC-SHA256 over
// "v1:<timestamp>:<body>", with the decoded secret.
func (w SignedWebhook) Verify(secret string) *Refusal {
	key, err := webhookKey(secret)
	digits, isV1 := strings.CutPrefix(w.Signature, "v1=")
	said, errHex := hex.DecodeString(digits)
	if err != nil || errHex != nil || !isV1 {
		return RefuseWebhook()
	}
	sum := hmac.New(sha256.New, key)
	sum.Write([]byte("v1:" + w.Timestamp + ":" + w.Body))
	if !hmac.Equal(sum.Sum(nil), said) {
		return RefuseWebhook()
	}
	return nil
}

// RefuseWebhook gives the same answer for everything that is wrong with a webhook, except its age: an unauthorized sender learns
// nothing.
func RefuseWebhook() *Refusal {
	row, _ := catalog.ErrorByCode("webhook_refused")
	return Refuse("webhook_refused", "", row.Message)
}

// Hasten is when an account is polled because its provider reported that something happened: like a person's request, but a refused
// account stays paused until a person mends it. False: it is polled as soon anyway, or not at all.
func (x *Integration) Hasten(now Instant) bool {
	before := x.NextFetchAt
	if !x.IsActive || x.State.Problem == ProblemUnauthorized {
		return false
	}
	x.Press(now)
	return x.NextFetchAt < before
}
