package device

import "testing"

// FuzzMQTTMessage: any message is a batch or an error, and what is taken is what a body of HTTP would give.
func FuzzMQTTMessage(f *testing.F) {
	for _, seed := range []string{`{"type":"heartbeat","at":"2026-11-21T11:59:58Z"}`, `[]`, `[{}]`, ` {"items":[]}`, "\ufeff[1]", `{"items"`, "", "]", `[]}{`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, body string) {
		batch, err := decodeMessage(body)
		if err == nil && len(batch.Reports)+len(batch.Refused) > len(body) {
			t.Errorf("%d of %d bytes", len(batch.Reports)+len(batch.Refused), len(body))
		}
	})
}
