package fleet

import (
	"net/mail"
	"strings"
	"testing"
	"unicode"
)

// FuzzValidEmail: an address that is taken reads as itself in the head of a
// letter, alone and behind a name, and its key is that of its key.
func FuzzValidEmail(f *testing.F) {
	for _, text := range []string{"chief@county.example", "o'brien+fleet@fire.county.example", "zoë@köln.example", "j.o-h_n/1@x-1.example", "a@b.c",
		"a@b.example\r\nBcc: c@evil.example", "a@b.example, c@d.example", "Eve <a@b.example>", "a@b.example\u2028", "a\u202e@b.example", "\xff@b.example", "İ@b.example",
		"a@[127.0.0.1]", "\"a b\"@c.example", "a..b@c.example", "=?utf-8?q?x?=@b.example"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if !ValidEmail(text) {
			return
		}
		if len(text) > 254 || strings.ContainsFunc(text, func(r rune) bool { return unicode.IsControl(r) || unicode.IsSpace(r) }) || strings.Count(text, "@") != 1 {
			t.Fatalf("%q is taken", text)
		}
		if at, err := mail.ParseAddress(text); err != nil || at.Address != text {
			t.Fatalf("%q reads as %v, %v", text, at, err)
		}
		if list, err := mail.ParseAddressList("Ada <" + text + ">"); err != nil || len(list) != 1 || list[0].Address != text {
			t.Fatalf("%q in a head: %v, %v", text, list, err)
		}
		if key := EmailKey(text); EmailKey(key) != key || EmailKey(" "+text+"\t") != key || EmailKey("\u200b"+text+"\u00a0\u2060") != key {
			t.Fatalf("%q has the key %q", text, key)
		}
	})
}
