package mail

import (
	"strings"
	"testing"
)

// What becomes a header is one line and one address, whichever part of a
// message it comes from.
func TestNothingOfAMessageBreaksItsHead(t *testing.T) {
	from := From{Name: "County Map", Address: "map@fleet.example"}
	for name, change := range map[string]func(*Message){
		"id":              func(m *Message) { m.ID = "x\r\nBcc: c@evil.example" },
		"kind":            func(m *Message) { m.Kind = "reset\nBcc: c@evil.example" },
		"a named address": func(m *Message) { m.To = "Eve <c@evil.example>" },
		"a group":         func(m *Message) { m.To = "all: a@b.example, c@evil.example;" },
	} {
		m := testMessage()
		change(&m)
		if body, err := m.bytes(from); err == nil {
			t.Errorf("%s: written as\n%s", name, body)
		}
	}
}

// Links and the home address come from the configuration; one that is not one line writes no letter.
func TestALinkIsOneLine(t *testing.T) {
	for _, bad := range []string{"https://fleet.example/\r\nBcc: x", "https://fleet.example/\u2028x"} {
		for name, change := range map[string]func(*Words){"link": func(w *Words) { w.Link = bad }, "home": func(w *Words) { w.Home = bad }} {
			w := words()
			change(&w)
			if l, err := Render("reset", w); err == nil || !strings.Contains(err.Error(), "not one line") {
				t.Errorf("%s %q: %v\n%s", name, bad, err, l.Text)
			}
		}
	}
}
