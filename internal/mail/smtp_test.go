package mail

import (
	"context"
	"crypto/x509"
	"errors"
	"net"
	"strconv"
	"strings"
	"testing"
	"time"

	"lightbar/internal/testkit/smtptest"
)

var testAt = time.Date(2026, 11, 21, 10, 42, 7, 0, time.UTC)

func testMessage() Message {
	return Message{ID: "019aa5c0-0000-7000-8000-00000000000a", Kind: "reset", At: testAt, To: "ada@demo.example", ToName: "Ada",
		Subject: "Choose a new password", Text: "Hello Ada,\n\nhttps://fleet.example/welcome/reset/x\n", HTML: "<p>Hello Ada,</p>"}
}

func sender(t *testing.T, scheme, at string, change ...func(*SMTPOptions)) *SMTP {
	t.Helper()
	o := SMTPOptions{URL: scheme + "://" + at, From: From{Name: "County Map", Address: "map@fleet.example"}, Helo: "fleet.example", Timeout: 5 * time.Second}
	for _, c := range change {
		c(&o)
	}
	s, err := NewSMTP(o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestAMailIsHandedOn(t *testing.T) {
	server := smtptest.New(t, smtptest.Rules{})
	if err := sender(t, "smtp", server.Addr).Send(t.Context(), testMessage()); err != nil {
		t.Fatal(err)
	}
	taken := server.Taken()
	if len(taken) != 1 || taken[0].From != "map@fleet.example" || taken[0].To != "ada@demo.example" {
		t.Fatalf("taken %+v", taken)
	}
	for _, part := range []string{"From: \"County Map\" <map@fleet.example>\r\n", "To: \"Ada\" <ada@demo.example>\r\n", "Subject: Choose a new password\r\n",
		"Message-ID: <019aa5c0-0000-7000-8000-00000000000a@fleet.example>\r\n", "Auto-Submitted: auto-generated\r\n",
		"multipart/alternative", "text/plain; charset=UTF-8", "text/html; charset=UTF-8", "Date: Sat, 21 Nov 2026 10:42:07 +0000"} {
		if !strings.Contains(taken[0].Data, part) {
			t.Errorf("no %q in\n%s", part, taken[0].Data)
		}
	}
}

func TestTLS(t *testing.T) {
	own := smtptest.NewAuthority(t)
	believe := func(o *SMTPOptions) { o.Roots = own.Roots }
	for _, row := range []struct {
		name     string
		implicit bool
	}{{"STARTTLS", false}, {"implicit", true}} {
		t.Run(row.name, func(t *testing.T) {
			server := smtptest.New(t, smtptest.Rules{TLS: own.Server, Implicit: row.implicit, User: "map", Password: "tide & 5 moons"})
			scheme := "smtp"
			if row.implicit {
				scheme = "smtps"
			}
			at := "map:tide%20&%205%20moons@" + server.Addr
			good := sender(t, scheme, at, believe)
			if err := errors.Join(good.Check(t.Context()), good.Send(t.Context(), testMessage())); err != nil {
				t.Fatal(err)
			}
			if taken := server.Taken(); len(taken) != 1 || !taken[0].TLS || taken[0].User != "map" {
				t.Errorf("taken %+v", taken)
			}
			stranger := sender(t, scheme, at, func(o *SMTPOptions) { o.Roots = x509.NewCertPool() })
			if err := stranger.Send(t.Context(), testMessage()); err == nil || !strings.Contains(err.Error(), "certificate") {
				t.Errorf("a certificate of nobody we know: %v", err)
			}
			wrong := sender(t, scheme, "map@"+server.Addr, believe, func(o *SMTPOptions) { o.Password = "another" })
			err := wrong.Send(t.Context(), testMessage())
			var refused *Refused
			if err == nil || errors.As(err, &refused) || strings.Contains(err.Error(), "another") {
				t.Errorf("a wrong password is the operator's to mend: %v", err)
			}
			if server.Tries() != 1 {
				t.Errorf("%d messages were begun", server.Tries())
			}
		})
	}
}

// Only this machine is spoken to without TLS.
func TestOtherMachinesMustOfferTLS(t *testing.T) {
	plain := smtptest.New(t, smtptest.Rules{})
	host, port, err := net.SplitHostPort(plain.Addr)
	if err != nil {
		t.Fatal(err)
	}
	n, _ := strconv.Atoi(port)
	far, err := newSMTP(server{host: host, port: n, user: "map", password: "hush"}, SMTPOptions{From: From{Address: "map@fleet.example"}})
	if err != nil {
		t.Fatal(err)
	}
	if err := far.Send(t.Context(), testMessage()); err == nil || !strings.Contains(err.Error(), "STARTTLS") || plain.Tries() != 0 {
		t.Errorf("%v, %d tries", err, plain.Tries())
	}
	for at, local := range map[string]bool{"smtp://localhost": true, "smtp://127.0.0.1:25": true, "smtp://[::1]:25": true,
		"smtp://mail.example.org": false, "smtp://10.0.0.1": false, "smtp://localhost.example.org": false} {
		if s, err := parseServer(at); err != nil || s.local != local {
			t.Errorf("%s: local %v %v", at, s.local, err)
		}
	}
}

func TestWhatTheServerSays(t *testing.T) {
	for _, row := range []struct {
		name      string
		rules     smtptest.Rules
		permanent int
	}{
		{"no such mailbox", smtptest.Rules{Rcpt: func(string) error { return smtptest.Refuse(550, "<ada@demo.example> is not known here") }}, 550},
		{"mailbox full", smtptest.Rules{Rcpt: func(string) error { return smtptest.Refuse(452, "ada@demo.example is full") }}, 0},
		{"gray list", smtptest.Rules{Rcpt: func(string) error { return smtptest.Refuse(451, "come again") }}, 0},
		{"message refused", smtptest.Rules{Data: func() error { return smtptest.Refuse(554, "not wanted") }}, 554},
		{"message put off", smtptest.Rules{Data: func() error { return smtptest.Refuse(451, "busy") }}, 0},
		{"sender refused", smtptest.Rules{Mail: func(string) error { return smtptest.Refuse(553, "not yours") }}, 553},
		{"sign-in asked for", smtptest.Rules{Mail: func(string) error { return smtptest.Refuse(530, "who are you") }}, 0},
		{"cut within the message", smtptest.Rules{DropInData: true}, 0},
	} {
		t.Run(row.name, func(t *testing.T) {
			server := smtptest.New(t, row.rules)
			err := sender(t, "smtp", server.Addr).Send(t.Context(), testMessage())
			var refused *Refused
			code := 0
			if errors.As(err, &refused) {
				code = refused.Code
			}
			if err == nil || code != row.permanent {
				t.Errorf("%v, permanent %d, want %d", err, code, row.permanent)
			}
			if err != nil && (strings.Contains(err.Error(), "ada@") || strings.ContainsAny(err.Error(), "\r\n")) {
				t.Errorf("a log would name the receiver: %v", err)
			}
			if len(server.Taken()) != 0 {
				t.Error("taken nevertheless")
			}
		})
	}
}

// A server that reads and never answers holds nobody longer than the timeout;
// the end of the context ends the conversation at once.
func TestASilentServer(t *testing.T) {
	server := smtptest.New(t, smtptest.Rules{Silent: true})
	began := time.Now()
	err := sender(t, "smtp", server.Addr, func(o *SMTPOptions) { o.Timeout = 100 * time.Millisecond }).Send(t.Context(), testMessage())
	if err == nil || time.Since(began) > 3*time.Second {
		t.Errorf("%v after %s", err, time.Since(began))
	}
	ctx, cancel := context.WithCancel(t.Context())
	answer := make(chan error, 1)
	go func() {
		answer <- sender(t, "smtp", server.Addr, func(o *SMTPOptions) { o.Timeout = time.Hour }).Send(ctx, testMessage())
	}()
	for server.Tries() < 2 { // until the conversation has begun
		select {
		case err := <-answer:
			t.Fatal(err)
		default:
		}
	}
	cancel()
	if err := <-answer; err == nil {
		t.Error("sent")
	}
	nobody := sender(t, "smtp", "127.0.0.1:1")
	if err := nobody.Send(t.Context(), testMessage()); err == nil {
		t.Error("sent to nobody")
	}
	if err := nobody.Check(t.Context()); err == nil {
		t.Error("nobody is said to be fine")
	}
}

func TestServerAddresses(t *testing.T) {
	for text, want := range map[string]server{
		"smtp://mail.example.org":                 {host: "mail.example.org", port: 587},
		"smtps://mail.example.org":                {host: "mail.example.org", port: 465, implicit: true},
		"smtp://u%40x:p%3A@mail.example.org:2525": {host: "mail.example.org", port: 2525, user: "u@x", password: "p:"},
	} {
		if got, err := parseServer(text); err != nil || got != want {
			t.Errorf("%s: %+v %v", text, got, err)
		}
	}
	for _, text := range []string{"", "mail.example.org", "http://mail.example.org", "smtp://", "smtp:///x", "smtp://h/x", "smtp://h?x=1", "smtp://h:0", "smtp://h:70000", "smtp://h:x", "smtp://u%0d:p@h"} {
		if _, err := NewSMTP(SMTPOptions{URL: text}); err == nil || (len(text) > 8 && strings.Contains(err.Error(), text)) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func FuzzServer(f *testing.F) {
	f.Add("smtp://user:secret@mail.example.org:587")
	f.Add("smtps://[::1]:465")
	f.Add("smtp://%0d%0a@h")
	f.Fuzz(func(t *testing.T, text string) {
		s, err := parseServer(text)
		if err == nil && (s.host == "" || s.port < 1 || s.port > 65535 || hasBreak(s.host+s.user+s.password)) {
			t.Errorf("%q: %+v", text, s)
		}
	})
}

// Some servers repeat what we sign in with, also as it goes over the wire.
func TestWordsOfTheServerHideThePassword(t *testing.T) {
	s, err := newSMTP(server{host: "mail.example.org", port: 25, user: "map", password: "hush-hush"}, SMTPOptions{From: From{Address: "map@fleet.example"}})
	if err != nil {
		t.Fatal(err)
	}
	for said, want := range map[string]string{
		"535 hush-hush is wrong": "535 <password> is wrong", "535 got aHVzaC1odXNo": "535 got <password>",
		"535 got AG1hcABodXNoLWh1c2g=": "535 got <password>", "250 queued as 7F3": "250 queued as 7F3",
	} {
		if got := s.said(said); got != want {
			t.Errorf("%q: %q, want %q", said, got, want)
		}
	}
}
