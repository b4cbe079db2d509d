package mail

import (
	"net/mail"
	"strings"
	"testing"
)

// FuzzHead: whatever a message and its sender say, it is refused, or its head
// is ours: one receiver, the one meant, and no line of somebody else's.
func FuzzHead(f *testing.F) {
	f.Add("ada@demo.example", "Ada", "Choose a new password", "019aa5c0", "reset", "County Map <map@fleet.example>")
	f.Add("a@b.example\r\nBcc: c@evil.example", "Ada\r\nBcc: x@y.example", "s\r\nBcc: x@y.example", "x\r\nBcc: c@evil.example", "reset\nX: y", "Map\r\nBcc: x <a@b.c>")
	f.Add("zoë@köln.example", `Zoë \ "Z"`, "\u2028", "019aa5c1", "invitation", "map@fleet.example")
	f.Add("a@b.example, c@d.example", "=?utf-8?q?a=0D=0ABcc:x?=", "=?utf-8?q?=0D=0A?=", "a>b", "", `"a b"@fleet.example`)
	f.Add("ada@demo.example", "Ada", "s", "019aa5c2", "reset", "Karte <karte@köln.example>")
	f.Fuzz(func(t *testing.T, to, name, subject, id, kind, from string) {
		sender, err := ParseFrom(from)
		if err != nil {
			return
		}
		m := testMessage()
		m.To, m.ToName, m.Subject, m.ID, m.Kind = to, name, subject, id, kind
		body, err := m.bytes(sender)
		if err != nil {
			return
		}
		parsed := checkHeaders(t, body)
		if list, err := (&mail.AddressParser{}).ParseList(parsed.Header.Get("To")); err != nil || len(list) != 1 || list[0].Address != to {
			t.Errorf("to %q: %v %v", to, list, err)
		}
		if hasBreak(parsed.Header.Get("Subject")) || !strings.HasPrefix(parsed.Header.Get("Message-Id"), "<") ||
			strings.ContainsAny(parsed.Header.Get("Message-Id"), "\r\n ") {
			t.Errorf("%q", parsed.Header)
		}
	})
}
