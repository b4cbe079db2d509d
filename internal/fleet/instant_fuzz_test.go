package fleet

import (
	"encoding/json"
	"testing"
)

// An instant that somebody sends is refused, or it is written as one that all who read it take.
func FuzzParseInstant(f *testing.F) {
	for _, text := range []string{"2026-11-21T10:42:07.250Z", "2026-11-20T23:30:00-10:30", "0001-01-01T00:00:00Z", "0000-01-01T00:00:00+23:59",
		"9999-12-31T23:59:59.999999999-23:59", "1970-01-01T00:00:00Z", "2026-06-30T23:59:60Z", "2026-11-21t10:42:07z", "2026-11-21T10:42:07,5Z"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		at, err := ParseInstant(text)
		if err != nil {
			return
		}
		kept, err := json.Marshal(at)
		var back Instant
		if err == nil {
			err = json.Unmarshal(kept, &back)
		}
		if err != nil || back != at || at != 0 && len(kept) != len(`"2026-11-21T10:42:07.250Z"`) {
			t.Errorf("%q is written as %s and read as %d, not %d (%v)", text, kept, back, at, err)
		}
	})
}
