package fleet

import (
	"testing"
	"time"
)

// What a time format means, and which formats mean nothing.
func TestTimesOfFiles(t *testing.T) {
	zone := time.FixedZone("", -5*3600)
	for _, c := range []struct{ format, text, want string }{
		{"", "2026-11-21T10:42:07.250Z", "2026-11-21T10:42:07Z"},
		{"iso", "2026-11-21T10:42:07.000+0000", "2026-11-21T10:42:07Z"},
		{"iso", "2026-11-21 10:42:07+0100", "2026-11-21T09:42:07Z"},
		{"iso", "2026-11-21 10:42", "2026-11-21T15:42:00Z"},
		{"iso", "2026-11-21T10:42Z", "2026-11-21T10:42:00Z"},
		{"iso", "2026-11-21", "2026-11-21T05:00:00Z"},
		{"M/d/yyyy H:mm", "11/5/2026 9:05", "2026-11-05T14:05:00Z"},
		{"M/d/yy h:mm:ss a", "1/15/26 6:05:09 pm", "2026-01-15T23:05:09Z"},
		{"d MMMM yyyy, HH:mm", "5 March 2026, 18:00", "2026-03-05T23:00:00Z"},
		{"yyyy-MM-dd'T'HH:mm:ss.SSSXXX", "2026-11-21T10:42:07.250+01:00", "2026-11-21T09:42:07Z"},
		{"yyyyMMddTHHmmss", "20261121T104207", "2026-11-21T15:42:07Z"},
	} {
		parse := timeParser(c.format, zone)
		if parse == nil {
			t.Errorf("%q is no format", c.format)
			continue
		}
		if at, ok := parse(c.text); !ok || at.Time().UTC().Format(time.RFC3339) != c.want {
			t.Errorf("%q as %q: %v %v, want %s", c.text, c.format, at.Time().UTC(), ok, c.want)
		}
	}
	for _, format := range []string{"HH:mm", "EEE d MMM yyyy", "yyyy-MM-dd z", "YYYY-MM-DD", "epoch"} {
		if timeParser(format, zone) != nil {
			t.Errorf("%q is taken: no time of a file would fit it", format)
		}
	}
}
