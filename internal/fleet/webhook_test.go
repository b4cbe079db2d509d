package fleet_test

import (
	"strings"
	"testing"
	"time"

	"lightbar/internal/fleet"
)

// What an independent program signs (HMAC-SHA256 of Python's standard library).
const (
	hookSecret    = "AQIDBAUGBwgJCgsMDQ4PEBESExQVFhcYGRobHB0eHyA="
	hookBody      = `{"eventId":"4c7b7b4c","eventType":"Ping","orgId":20936}`
	hookSignature = "v1=83e437ab900b58bf0094cde5875b80c77d2ad1b16c9d3ca8c7123894841390e5"
	hookAt        = "1795262400"
)

func TestAWebhookIsSignedOverItsTimestampAndBody(t *testing.T) {
	right := fleet.SignedWebhook{Timestamp: hookAt, Signature: hookSignature, Body: hookBody}
	for name, c := range map[string]struct {
		change func(w *fleet.SignedWebhook)
		secret string
		wants  string
	}{
		"as it was signed":           {func(*fleet.SignedWebhook) {}, hookSecret, ""},
		"in capitals":                {func(w *fleet.SignedWebhook) { w.Signature = "v1=" + strings.ToUpper(w.Signature[3:]) }, hookSecret, ""},
		"another body":               {func(w *fleet.SignedWebhook) { w.Body += " " }, hookSecret, "webhook_refused"},
		"another timestamp":          {func(w *fleet.SignedWebhook) { w.Timestamp = "1795262401" }, hookSecret, "webhook_refused"},
		"half a signature":           {func(w *fleet.SignedWebhook) { w.Signature = w.Signature[:35] }, hookSecret, "webhook_refused"},
		"no signature":               {func(w *fleet.SignedWebhook) { w.Signature = "" }, hookSecret, "webhook_refused"},
		"an empty one":               {func(w *fleet.SignedWebhook) { w.Signature = "v1=" }, hookSecret, "webhook_refused"},
		"another version":            {func(w *fleet.SignedWebhook) { w.Signature = "v2=" + w.Signature[3:] }, hookSecret, "webhook_refused"},
		"no version":                 {func(w *fleet.SignedWebhook) { w.Signature = w.Signature[3:] }, hookSecret, "webhook_refused"},
		"no hexadecimal digits":      {func(w *fleet.SignedWebhook) { w.Signature = "v1=" + strings.Repeat("zz", 32) }, hookSecret, "webhook_refused"},
		"another secret":             {func(*fleet.SignedWebhook) {}, "IAIDBAUGBwgJCgsMDQ4PEBESExQVFhcYGRobHB0eHyA=", "webhook_refused"},
		"a secret that is no base64": {func(*fleet.SignedWebhook) {}, "?", "webhook_refused"},
	} {
		w := right
		c.change(&w)
		got := ""
		if refusal := w.Verify(c.secret); refusal != nil {
			got = refusal.Code
		}
		if got != c.wants {
			t.Errorf("%s: %q, want %q", name, got, c.wants)
		}
	}
}

func TestAWebhookThatIsNotOfNowIsRefused(t *testing.T) {
	now := fleet.Instant(1_795_262_400_000)
	for said, wants := range map[string]string{"1795262400": "", "1795262100": "", "1795262099": "webhook_stale", "1795262700": "", "1795262701": "webhook_stale",
		"": "webhook_refused", "now": "webhook_refused", "-1": "webhook_refused", "1795262400.5": "webhook_refused", "1795262400000": "webhook_refused",
		"0": "webhook_stale", "9223372036854775807": "webhook_refused", " 1795262400": "webhook_refused"} {
		got := ""
		if refusal := (fleet.SignedWebhook{Timestamp: said}).Fresh(now); refusal != nil {
			got = refusal.Code
		}
		if got != wants {
			t.Errorf("%q: %q, want %q", said, got, wants)
		}
	}
}

func TestAWebhooksSecretIsAsTheProviderShowsIt(t *testing.T) {
	for said, wants := range map[string]string{hookSecret: "", " " + hookSecret + "\n": "", "": "", "  ": "", "secret": "Enter the secret key as Samsara shows it",
		hookSecret[1:]: "Enter the secret key as Samsara shows it", "AQIDBAUGBwgJCgsMDQ4P": "The secret key is too short",
		strings.Repeat("A", 4004): "Must be 4000 or fewer characters"} {
		secret, sentence := fleet.CheckWebhookSecret(said)
		if sentence != wants || wants == "" && secret != strings.TrimSpace(said) {
			t.Errorf("%q: %q, %q", said, secret, sentence)
		}
	}
}

func TestAnEventHastensAnAccountAsAPressDoes(t *testing.T) {
	const now = fleet.Instant(1_795_262_400_000)
	for name, c := range map[string]struct {
		is    fleet.Integration
		wants fleet.Instant // 0 = it stays
	}{
		"it rests":               {fleet.Integration{IsActive: true, NextFetchAt: now.Add(time.Hour), State: fleet.IntegrationState{Problem: "unavailable", LastFetchedAt: now.Add(-time.Minute)}}, now},
		"it was just asked":      {fleet.Integration{IsActive: true, NextFetchAt: now.Add(time.Hour), State: fleet.IntegrationState{LastFetchedAt: now.Add(-time.Second)}}, now.Add(9 * time.Second)},
		"it is asked as soon":    {fleet.Integration{IsActive: true, NextFetchAt: now.Add(time.Second), State: fleet.IntegrationState{LastFetchedAt: now.Add(-time.Second)}}, 0},
		"the provider said wait": {fleet.Integration{IsActive: true, NextFetchAt: now.Add(time.Hour), State: fleet.IntegrationState{NotBefore: now.Add(time.Minute)}}, now.Add(time.Minute)},
		"it is refused":          {fleet.Integration{IsActive: true, NextFetchAt: now.Add(time.Hour), State: fleet.IntegrationState{Problem: "unauthorized"}}, 0},
		"it is paused":           {fleet.Integration{NextFetchAt: now.Add(time.Hour)}, 0},
	} {
		x := c.is
		if hastened := x.Hasten(now); hastened != (c.wants != 0) || hastened && x.NextFetchAt != c.wants || !hastened && x.NextFetchAt != c.is.NextFetchAt {
			t.Errorf("%s: %v %d, want %d", name, hastened, x.NextFetchAt, c.wants)
		}
	}
}
