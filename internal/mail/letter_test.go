package mail

import (
	"io"
	"net/mail"
	"regexp"
	"strings"
	"testing"
	"unicode"
)

func words() Words {
	return Words{Brand: "County Map", Support: "help@fleet.example", Home: "https://fleet.example", Name: "Ada", Link: "https://fleet.example/welcome/reset/a%40b.example/lb_rst_x",
		Data: map[string]string{"at": "November 21, 2026, 5:42 AM EST", "to": "others", "place": "I-95 northbound", "stretch": "from Exit 5 to Exit 7", "description": "Paving",
			"since": "November 21, 2026, 5:42 AM EST", "ends": "November 23, 2026, 5:42 AM EST", "until": "November 21, 2026, 6:12 AM EST", "what": "an authenticator app was set up", "organization": "Harbor County"}}
}

func TestEveryLetter(t *testing.T) {
	kinds := Kinds()
	for _, want := range []string{"invitation", "new_key", "password_changed", "password_expires", "reset", "second_factor_changed", "session_reuse", "suspended", "unlock"} {
		if !strings.Contains(strings.Join(kinds, " "), want) {
			t.Errorf("no letter %s in %v", want, kinds)
		}
	}
	remote := regexp.MustCompile(`(?i)<(img|script|link|iframe|object|style)\b|url\(|src=`)
	for _, kind := range kinds {
		l, err := Render(kind, words())
		if err != nil {
			t.Errorf("%s: %v", kind, err)
			continue
		}
		for what, text := range map[string]string{"subject": l.Subject, "text": l.Text, "html": l.HTML} {
			if !strings.Contains(text, "County Map") || strings.Contains(text, "<no value>") || strings.Contains(text, "  ") && what == "text" {
				t.Errorf("%s %s: %s", kind, what, text)
			}
			if what != "subject" && (!strings.Contains(text, "Hello Ada,") || !strings.Contains(text, "help@fleet.example")) {
				t.Errorf("%s %s greets or helps nobody: %s", kind, what, text)
			}
		}
		if strings.Contains(l.Text, "<") || remote.MatchString(l.HTML) {
			t.Errorf("%s: markup or something from elsewhere:\n%s\n%s", kind, l.Text, l.HTML)
		}
		linked := letters.Lookup(kind+".button") != nil
		if strings.Contains(l.Text, words().Link) != linked || strings.Contains(l.HTML, `href="`+words().Link+`"`) != linked {
			t.Errorf("%s: link %v\n%s\n%s", kind, linked, l.Text, l.HTML)
		}
		bare := words()
		bare.Name, bare.Support = "", ""
		delete(bare.Data, "what")
		delete(bare.Data, "organization")
		if l, err := Render(kind, bare); err != nil || !strings.Contains(l.Text, "Hello,") || strings.Contains(l.Text, "Questions?") {
			t.Errorf("%s without what may be missing: %v\n%s", kind, err, l.Text)
		}
	}
	if _, err := Render("no_such", words()); err == nil {
		t.Error("an unknown letter is written")
	}
	missing := words()
	delete(missing.Data, "until")
	if _, err := Render("reset", missing); err == nil {
		t.Error("a letter with a hole is written")
	}
}

// Names that somebody else typed cannot become headers, markup, lines of their own or links.
func TestNamesCannotBecomeAnythingElse(t *testing.T) {
	for _, evil := range []string{"Ada\r\nBcc: all@victim.example", "Ada\nhttps://evil.example", "<script>alert(1)</script>", "https://evil.example/x", "evil.example",
		"www.evil", "Ada\u2028Bcc: x", "you won, see evil.example", "\u202eelpmaxe.live", strings.Repeat("A", 61), "a@evil.example", "{{.Link}}"} {
		w := words()
		w.Name = evil
		w.Data["organization"], w.Data["what"] = evil, evil
		for _, kind := range Kinds() {
			l, err := Render(kind, w)
			if err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(l.Text, "Hello,") {
				t.Errorf("%q greets: %s", evil, l.Text)
			}
			if strings.ContainsAny(l.Subject, "\r\n") || strings.Contains(l.HTML, "<script") {
				t.Errorf("%q: %s", evil, l.HTML)
			}
			for _, bad := range []string{"evil.example", "\nBcc", "\u2028", "\u202e", "://evil", "www.evil"} {
				if strings.Contains(l.Text, bad) || strings.Contains(l.HTML, bad) {
					t.Errorf("%s, %q lets %q through:\n%s", kind, evil, bad, l.Text)
				}
			}
		}
	}
	for _, name := range []string{"Ada", "José", "O'Brien", "O’Brien", "Anne-Marie", "J. R.", "李 明", "Ñandú", "Zoë 3"} {
		if Greetable(name) != name {
			t.Errorf("%q is not greeted", name)
		}
	}
}

// A link in the file of a letter stands on one line, whatever the letter says beside it: people copy it from there. A mail
// server gets letters in seven bits, which every one of them takes.
func TestLinksInFilesAreWhole(t *testing.T) {
	for _, kind := range []string{"invitation", "reset", "unlock"} {
		w := words()
		w.Data["organization"], w.Link = "Ville de Genève", "https://fleet.example/welcome/invite/ada.cole@demo.example#lb_inv_"+strings.Repeat("A1_b", 20)
		l, err := Render(kind, w)
		if err != nil {
			t.Fatal(err)
		}
		m, from := l.Message("019aa5c0", kind, testAt, "ada@demo.example", "Ada"), From{Name: "Map", Address: "map@fleet.example"}
		file, err := m.bytes(from)
		if err != nil || !strings.Contains(string(file), "\r\n"+w.Link+"\r\n") {
			t.Errorf("%s: %v %s", kind, err, file)
		}
		sent, err := encode(from, m, false)
		if err != nil {
			t.Fatal(err)
		}
		var out strings.Builder
		if _, err := sent.WriteTo(&out); err != nil || strings.ContainsFunc(out.String(), func(c rune) bool { return c > unicode.MaxASCII }) {
			t.Errorf("%s is sent in eight bits: %v", kind, err)
		}
	}
}

// header injection: whatever a name, a title or an address holds, the message
// has exactly the headers it should have.
func TestHeadersCannotBeInjected(t *testing.T) {
	from := From{Name: "County Map\r\nBcc: a@evil.example", Address: "map@fleet.example"}
	m := testMessage()
	m.Subject, m.ToName = "New\r\nBcc: b@evil.example\r\n\r\nbody", "Ada\nBcc: c@evil.example"
	body, err := m.bytes(from)
	if err != nil {
		t.Fatal(err)
	}
	checkHeaders(t, body)
	for _, to := range []string{"a@b.example\r\nBcc: c@evil.example", "a@b.example, c@evil.example", "", "nobody", "a@b.example\u2028x"} {
		m := testMessage()
		m.To = to
		if _, err := m.bytes(from); err == nil {
			t.Errorf("%q is an address", to)
		}
	}
	m = testMessage()
	m.ToName, m.Subject = "José Ñandú", "Contraseña für Größe 🚒"
	body, err = m.bytes(From{Name: "Straße 7", Address: "map@fleet.example"})
	if err != nil {
		t.Fatal(err)
	}
	parsed := checkHeaders(t, body)
	to, err := parsed.Header.AddressList("To")
	if err != nil || to[0].Name != "José Ñandú" {
		t.Errorf("%v %v", to, err)
	}
	if subject, err := decodeHeader(parsed.Header.Get("Subject")); err != nil || subject != m.Subject {
		t.Errorf("%q %v", subject, err)
	}
	head, _, _ := strings.Cut(string(body), "\r\n\r\n")
	for _, c := range head {
		if c > 126 {
			t.Fatalf("a header has %q as it is:\n%s", c, head)
		}
	}
}

var allowedHeaders = map[string]bool{"From": true, "To": true, "Subject": true, "Date": true, "Message-Id": true, "Auto-Submitted": true, "X-Mail-Kind": true,
	"Mime-Version": true, "Content-Type": true, "Content-Transfer-Encoding": true}

func checkHeaders(t *testing.T, body []byte) *mail.Message {
	t.Helper()
	parsed, err := mail.ReadMessage(strings.NewReader(string(body)))
	if err != nil {
		t.Fatalf("%v:\n%s", err, body)
	}
	for name, values := range parsed.Header {
		if !allowedHeaders[name] || len(values) != 1 {
			t.Errorf("header %s %q", name, values)
		}
	}
	if list, err := parsed.Header.AddressList("To"); err != nil || len(list) != 1 {
		t.Errorf("to %v %v", list, err)
	}
	if _, err := io.ReadAll(parsed.Body); err != nil {
		t.Error(err)
	}
	return parsed
}

func FuzzRender(f *testing.F) {
	f.Add("Ada", "Harbor County", "an app", "County Map")
	f.Add("A\r\nBcc: x@y.example", "<b>", "\u2028", "\x00")
	f.Add("evil.example", "https://a", "a@b", "{{.}}")
	f.Add(`Ada "Ace" Cole`, `\`, `"`, `County "Map`)
	f.Fuzz(func(t *testing.T, name, organization, what, brand string) {
		w := words()
		w.Name, w.Brand = name, brand
		w.Data["organization"], w.Data["what"] = organization, what
		for _, kind := range []string{"invitation", "new_key", "reset"} {
			l, err := Render(kind, w)
			if err != nil {
				t.Fatal(err)
			}
			body, err := l.Message("019aa5c0", kind, testAt, "ada@demo.example", name).bytes(From{Name: brand, Address: "map@fleet.example"})
			if err != nil {
				t.Fatal(err)
			}
			checkHeaders(t, body)
		}
	})
}
