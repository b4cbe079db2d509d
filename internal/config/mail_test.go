package config

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"testing"
)

// spec: D.password.01 D.password.05
func TestMailSettings(t *testing.T) {
	l, err := parse(t)
	if err != nil || !l.Serve.People.RevealUnknownEmail || l.Serve.People.PasswordPolicy != "specified" || l.Serve.People.LinkConfirmation || l.Serve.Mail != (Mail{}) {
		t.Fatalf("defaults %+v %+v %v", l.Serve.People, l.Serve.Mail, err)
	}
	name := configFile(t, `{"smtp_url": "smtp://map:hush@mail.example.org", "mail_from": "County Map <map@example.org>", "reveal_unknown_email": false, "password_policy": "nist", "link_confirmation": true}`)
	l, err = parse(t, "--config", name)
	if err != nil {
		t.Fatal(err)
	}
	if s := l.Serve.Server; s.Mail.URL.Reveal() != "smtp://map:hush@mail.example.org" || s.People.RevealUnknownEmail || s.People.PasswordPolicy != "nist" || !s.People.LinkConfirmation || s.Check() != nil {
		t.Errorf("from the file: %+v %+v", s.Mail, s.People)
	}
	t.Setenv("LIGHTBAR_SMTP_URL", "smtps://map:secret@mail.example.org:4650")
	if l, err = parse(t, "--no-reveal-unknown-email"); err != nil || l.Serve.People.RevealUnknownEmail || l.Serve.Mail.URL.Reveal() != "smtps://map:secret@mail.example.org:4650" {
		t.Errorf("from the environment: %+v %v", l.Serve.Mail, err)
	}
	if l, err = parse(t, "--link-confirmation"); err != nil || !l.Serve.People.LinkConfirmation {
		t.Errorf("from the command line: %v", err)
	}
	var log strings.Builder
	slog.New(slog.NewTextHandler(&log, nil)).Info("x", "smtp", l.Serve.Mail.URL)
	b, err := json.Marshal(l.Serve.Mail)
	if err != nil {
		t.Fatal(err)
	}
	if shown := log.String() + string(b) + fmt.Sprint(l.Serve.Mail) + fmt.Sprintf("%v %s", l.Serve.Mail.URL, l.Serve.Mail.URL); strings.Contains(shown, "secret") {
		t.Errorf("the password is shown: %s", shown)
	}
}

func TestWrongMailSettings(t *testing.T) {
	for words, m := range map[string]Mail{
		"is not an address such as smtp": {URL: "mail.example.org:25"},
		"no port":                        {URL: "smtp://u:hush@mail.example.org:99999"},
		"keep one":                       {URL: "smtp://u:hush@mail.example.org", PasswordFile: "x"},
		"need --smtp-url":                {CA: "x"},
		"--mail-from":                    {From: "a@b.example\r\nBcc: c@d.example"},
	} {
		if err := m.check(); err == nil || !strings.Contains(err.Error(), words) || strings.Contains(err.Error(), "hush") {
			t.Errorf("%+v: %v", m, err)
		}
	}
	for _, m := range []Mail{{}, {URL: "smtp://localhost"}, {URL: "smtps://u@[::1]:465", PasswordFile: "x", CA: "y", From: "a@b.example"}} {
		if err := m.check(); err != nil {
			t.Errorf("%+v: %v", m, err)
		}
	}
}

// Whatever the address, checking never fails badly and its sentence never shows the password.
func FuzzMail(f *testing.F) {
	f.Add("smtp://u:hush@h", "A <a@b.example>")
	f.Add("smtps://h:465", "a@b.example")
	f.Add("smtp://u:hu%ZZsh@h", "\r\n")
	f.Fuzz(func(t *testing.T, url, from string) {
		m := Mail{URL: SMTPURL(url), From: from}
		if err := m.check(); err != nil && len(url) > 30 && strings.Contains(err.Error(), url) {
			t.Errorf("%v", err)
		}
		_ = m.URL.String()
	})
}
