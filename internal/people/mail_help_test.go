package people_test

import (
	"io"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	"net/mail"
	"regexp"
	"strings"
	"testing"

	"lightbar/internal/api"
	"lightbar/internal/app"
	post "lightbar/internal/mail"
	"lightbar/internal/people"
	"lightbar/internal/store"
	"lightbar/internal/testkit"
	"lightbar/internal/testkit/smtptest"
)

const publicURL = "https://fleet.example"

// posted is a world whose mails go to a real SMTP server on loopback.
type posted struct {
	*testkit.World
	smtp *smtptest.Server
	seen int
}

func newPosted(t *testing.T, options ...testkit.Option) *posted {
	t.Helper()
	p := &posted{smtp: smtptest.New(t, smtptest.Rules{})}
	sender, err := post.NewSMTP(post.SMTPOptions{URL: "smtp://" + p.smtp.Addr, From: post.From{Name: "Safety Cloud", Address: "noreply@fleet.example"}, Helo: "fleet.example"})
	must(t, err)
	p.World = testkit.New(t, append(options, testkit.WithBuild(func(a *app.App, _ *api.Options) { a.PublicURL, a.Post = publicURL, sender }))...)
	return p
}

// letter is one mail as its receiver sees it.
type letter struct{ To, Subject, Text, HTML string }

// link is the address in the letter, relative to the public address; empty = none.
func (l letter) link() string {
	found := regexp.MustCompile(`https?://\S+/welcome/\S+`).FindString(l.Text)
	return strings.TrimPrefix(found, publicURL)
}

// token is the last part of the link.
func (l letter) token() string { return l.link()[strings.LastIndex(l.link(), "#")+1:] }

// letters hands the outbox on and reads what has come since the last time.
func (p *posted) letters(t *testing.T) []letter {
	t.Helper()
	must(t, p.App.RunMail(t.Context()))
	taken := p.smtp.Taken()[p.seen:]
	p.seen += len(taken)
	out := make([]letter, 0, len(taken))
	for _, m := range taken {
		out = append(out, readLetter(t, m.Data))
	}
	return out
}

// one is letters when exactly one is expected.
func (p *posted) one(t *testing.T, subject string) letter {
	t.Helper()
	all := p.letters(t)
	if len(all) != 1 || !strings.Contains(all[0].Subject, subject) {
		t.Fatalf("%d letters, want one about %q: %+v", len(all), subject, all)
	}
	return all[0]
}

func readLetter(t *testing.T, data string) letter {
	t.Helper()
	m, err := mail.ReadMessage(strings.NewReader(data))
	must(t, err)
	to, err := m.Header.AddressList("To")
	must(t, err)
	out := letter{To: to[0].Address}
	out.Subject, err = new(mime.WordDecoder).DecodeHeader(m.Header.Get("Subject"))
	must(t, err)
	_, params, err := mime.ParseMediaType(m.Header.Get("Content-Type"))
	must(t, err)
	for parts := multipart.NewReader(m.Body, params["boundary"]); ; {
		part, err := parts.NextRawPart()
		if err == io.EOF {
			return out
		}
		must(t, err)
		from := io.Reader(part)
		if part.Header.Get("Content-Transfer-Encoding") == "quoted-printable" {
			from = quotedprintable.NewReader(part)
		}
		body, err := io.ReadAll(from)
		must(t, err)
		if strings.HasPrefix(part.Header.Get("Content-Type"), "text/html") {
			out.HTML = string(body)
		} else {
			out.Text = string(body)
		}
	}
}

func caller() people.Caller { return people.Caller{Network: "192.0.2.1", RequestID: "r1"} }

func (p *posted) mailRows(t *testing.T, role string) []store.Mail {
	t.Helper()
	rows, err := store.MailOf(t.Context(), p.App.Store.Reader(), p.Users[role].ID)
	must(t, err)
	return rows
}

func (p *posted) hasAudit(t *testing.T, verb string) bool {
	t.Helper()
	rows, err := store.ListAudit(t.Context(), p.App.Store.Reader(), p.Own.ID, 0, 1000)
	must(t, err)
	for _, r := range rows {
		if r.Verb == verb {
			return true
		}
	}
	return false
}

// signsIn reports whether a password opens an account, or the code of the refusal.
func (p *posted) signsIn(t *testing.T, email, password string) string {
	t.Helper()
	_, err := p.App.SignIn(t.Context(), people.SignIn{Email: email, Password: password, Caller: caller()})
	return codeOf(t, err)
}
