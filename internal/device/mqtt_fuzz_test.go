package device

import (
	"strings"
	"testing"
)

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

// FuzzMQTTTopic: whatever a topic and an asset are called, four topics are the asset's, each in one direction, and none of
// them is a filter that holds another's.
func FuzzMQTTTopic(f *testing.F) {
	for _, seed := range [][2]string{{"HA7-0", "lightbar/v1/HA7-0/report"}, {"a/b", "lightbar/v1/a/b/ack"}, {"", "lightbar/v1//command"}, {"HA7-0", "lightbar/v1/+/command"},
		{"HA7-0", "#"}, {"HA7-0", "$share/x/lightbar/v1/HA7-0/command"}, {"HA7-0", "lightbar/v1/HA7-0/command/#"}} {
		f.Add(seed[0], seed[1])
	}
	f.Fuzz(func(t *testing.T, name, topic string) {
		root := topicRoot + name
		written, read := isOwnTopic(root, topic, true), isOwnTopic(root, topic, false)
		own := topic == root+"/report" || topic == root+"/ack" || topic == root+"/command" || topic == root+"/refused"
		if own != (written != read) || written && read {
			t.Errorf("%q of %q: publish %v, subscribe %v", topic, name, written, read)
		}
		if own && !strings.ContainsAny(name, "+#") && strings.ContainsAny(topic, "+#") {
			t.Errorf("%q of %q", topic, name)
		}
	})
}
