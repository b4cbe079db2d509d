package fleet

import (
	"encoding/json"
	"testing"
)

// Whatever somebody sends as a pattern, its check ends, and one that passes has times that can be told.
func FuzzRecurrence(f *testing.F) {
	f.Add([]byte(`{"days":[1,5],"start":"21:00","minutes":480,"from":"2026-11-02","until":"2026-12-18","except":["2026-11-26"],"timezone":"America/New_York"}`), int64(1795000000000))
	f.Add([]byte(`{"days":[7],"start":"02:30","minutes":1440,"from":"2026-03-29","until":"2026-03-29","except":[],"timezone":"Europe/Berlin"}`), int64(0))
	f.Add([]byte(`{"days":[0,8,8],"start":"24:00","minutes":-1,"from":"9999-12-31","until":"0000-01-01","except":["x"],"timezone":"../etc/passwd"}`), int64(-1))
	f.Fuzz(func(t *testing.T, b []byte, at int64) {
		var r Recurrence
		if json.Unmarshal(b, &r) != nil {
			return
		}
		wrong := map[string]string{}
		if r.Check(wrong); len(wrong) > 0 {
			return
		}
		begun, next := r.around(Instant(at), func(Span) bool { return true })
		for _, s := range []Span{begun, next} {
			if s != (Span{}) && s.From >= s.To {
				t.Fatalf("%+v: a time that ends before it begins: %+v", r, s)
			}
		}
	})
}
