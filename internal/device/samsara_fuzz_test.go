package device

import "testing"

// FuzzSamsaraEvent: any body is an event with a type, or an error.
func FuzzSamsaraEvent(f *testing.F) {
	for _, seed := range []string{`{"eventType":"Ping"}`, `{"eventId":"1","eventMs":1795262400000,"eventType":"AlertIncident","event":{"device":{"id":1}}}`, `[]`, `{`, "",
		`{"eventType":1}`, `{"eventType":null}`, `{"EVENTTYPE":"Ping"}`, "\ufeff{}", `{"eventType":"` + "\xff" + `"}`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, body string) {
		kind, err := decodeSamsara(body)
		if (kind == "") != (err != nil) || len(kind) > 3*len(body) {
			t.Errorf("%q: %q %v", body, kind, err)
		}
	})
}
